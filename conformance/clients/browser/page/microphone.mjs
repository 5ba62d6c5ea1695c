// The microphone as a page sees it. The browser brings the sound to the rate that is wanted, whatever the device has.
import { samplesOfWav } from './sound.mjs';

class Microphone {
  onlevel = () => {};

  // `processed`: without echo, noise and changes of level, as a person at a loudspeaker wants it.
  static async open({ rate, muted = false, processed = true }) {
    const microphone = new this();
    const audio = { channelCount: 1, echoCancellation: processed, noiseSuppression: processed, autoGainControl: processed };
    microphone.rate = rate;
    microphone.stream = await navigator.mediaDevices.getUserMedia({ audio });
    microphone.context = new AudioContext({ sampleRate: rate, latencyHint: 'playback', sinkId: { type: 'none' } });
    await microphone.context.audioWorklet.addModule(new URL(`${this.worklet}-worklet.mjs`, import.meta.url));
    microphone.node = new AudioWorkletNode(microphone.context, this.worklet, { channelCount: 1, channelCountMode: 'explicit' });
    microphone.node.port.onmessage = ({ data }) => (data.level === undefined ? microphone.told(data) : microphone.onlevel(data.level));
    microphone.context.createMediaStreamSource(microphone.stream).connect(microphone.node);
    microphone.node.connect(microphone.context.destination); // silent; without it the node would not run
    microphone.setMuted(muted);
    await microphone.context.resume();
    return microphone;
  }

  setMuted(muted) {
    this.muted = muted;
    this.node.port.postMessage({ muted });
  }

  // The samples of a sound file. The browser, which reads files of any kind, would not give a WAV of 16 bit sample for sample.
  async decode(file) {
    const samples = samplesOfWav(file, this.rate);
    if (samples !== null) return samples;
    const sound = await this.context.decodeAudioData(file);
    const channels = Array.from({ length: sound.numberOfChannels }, (_, n) => sound.getChannelData(n));
    return Float32Array.from(channels[0], (_, i) => channels.reduce((sum, channel) => sum + channel[i], 0) / channels.length);
  }

  async close() {
    for (const track of this.stream.getTracks()) track.stop();
    await this.context.close();
  }
}

// A second of samples at a time, from start() to stop(). `onsecond` gets the samples, and how many of them say() had put there.
export class SecondsMicrophone extends Microphone {
  static worklet = 'microphone';
  onsecond = () => {};
  #handed = 0; // samples of say()
  #taken = 0;

  told({ second, speech }) {
    this.#taken = Math.min(this.#handed, this.#taken + speech);
    this.onsecond(second, speech);
  }

  start() {
    this.node.port.postMessage({ collect: true });
  }

  stop() {
    this.node.port.postMessage({ collect: false });
  }

  // Samples that are said in place of what the microphone hears.
  say(samples) {
    this.#handed += samples.length;
    this.node.port.postMessage({ say: samples });
  }

  // What was to be said and was not is not said any more.
  forget() {
    this.#taken = this.#handed;
    this.node.port.postMessage({ forget: true });
  }

  // Is all of say() in seconds that were handed on?
  get saidAll() {
    return this.#taken >= this.#handed;
  }
}

// An answer at a time: what the microphone hears from listen() to done(), or what say() gives. `onchunk` gets 150 ms of samples at
// a time, and whether they are the last of the answer.
export class AnswersMicrophone extends Microphone {
  static worklet = 'answers';
  onchunk = () => {};

  told({ chunk, last, answer }) {
    if (answer === this.answer) this.onchunk(chunk, last);
  }

  answer = 0; // what still comes of one before it is not handed on

  #begin(how) {
    this.node.port.postMessage({ answer: ++this.answer, ...how });
  }

  listen() {
    this.#begin({ listen: true });
  }

  say(samples) {
    this.#begin({ say: samples });
  }

  done() {
    this.node.port.postMessage({ done: true });
  }

  stop() {
    this.#begin({});
  }
}
