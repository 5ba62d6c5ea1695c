// Sound files: those that can be spoken as they are, and the one that takes what was played.

import { ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';

const SPEECH_RATE = 16000;
const SPEAKER_RATE = 24000;
const HEADER_BYTES = 44;
const PCM = 1;
const IEEE_FLOAT = 3;
const EXTENSIBLE = 0xfffe;
const SUBFORMAT_AT = 24; // of an extensible format: a GUID that begins with what stands in the first field of the others

export class UnsupportedAudio extends Error {}

function codingOf(format) {
  const coding = format.readUInt16LE(0);
  return coding === EXTENSIBLE && format.length >= SUBFORMAT_AT + 2 ? format.readUInt16LE(SUBFORMAT_AT) : coding;
}

// The samples of a RIFF WAVE file that can be sent as they are: 16 bit mono.
export function readSpeech(path, wantedRate = SPEECH_RATE) {
  let file;
  try {
    file = readFileSync(path);
  } catch (error) {
    throw new UnsupportedAudio(error.message);
  }
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE')
    throw new UnsupportedAudio(`${path}: no WAV file`);
  let format = null;
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4);
    const chunk = file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4));
    if (name === 'fmt ' && chunk.length >= 16)
      format = [codingOf(chunk), chunk.readUInt16LE(14), chunk.readUInt16LE(2), chunk.readUInt32LE(4)];
    if (name === 'data' && format !== null) {
      const [coding, bits, channels, rate] = format;
      if (coding !== PCM || bits !== 16 || channels !== 1 || rate !== wantedRate)
        throw new UnsupportedAudio(
          `${path}: ${bits} bit, ${channels} channels, ${rate} Hz; only 16 bit mono at ${wantedRate} Hz can be sent`,
        );
      return chunk.subarray(0, chunk.length - (chunk.length % 2));
    }
    at += 8 + chunk.length + (chunk.length % 2);
  }
  throw new UnsupportedAudio(`${path}: no sound in it`);
}

// A WAV in which each sample stands where it was heard, with silence wherever nothing was. It is whole at any time.
// Samples of 4 bytes are float32, those of 2 are integers.
export class SpeakerFile {
  constructor(path, sampleBytes) {
    this.sampleBytes = sampleBytes;
    this.file = openSync(path, 'w');
    this.begin();
  }

  // From the start: a new session has a new clock.
  begin() {
    ftruncateSync(this.file);
    this.writeHeader(0);
  }

  write(at, sound) {
    writeSync(this.file, sound, 0, sound.length, HEADER_BYTES + at * this.sampleBytes); // what is skipped reads as zeros
    this.writeHeader(at * this.sampleBytes + sound.length);
  }

  writeHeader(size) {
    const header = Buffer.alloc(HEADER_BYTES);
    header.write('RIFF', 0);
    header.writeUInt32LE(HEADER_BYTES - 8 + size, 4);
    header.write('WAVEfmt ', 8);
    header.writeUInt32LE(16, 16);
    header.writeUInt16LE(this.sampleBytes === 4 ? IEEE_FLOAT : PCM, 20);
    header.writeUInt16LE(1, 22);
    header.writeUInt32LE(SPEAKER_RATE, 24);
    header.writeUInt32LE(SPEAKER_RATE * this.sampleBytes, 28);
    header.writeUInt16LE(this.sampleBytes, 32);
    header.writeUInt16LE(8 * this.sampleBytes, 34);
    header.write('data', 36);
    header.writeUInt32LE(size, 40);
    writeSync(this.file, header, 0, HEADER_BYTES, 0);
  }
}
