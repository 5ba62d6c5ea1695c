// The microphone as the page sees it: a second of 16,000 samples at a time, from start() to stop(). The browser brings the
// sound to 16 kHz, whatever the device has. `onsecond` gets the samples, and how many of them say() had put there.
import { INPUT_RATE, samplesOfWav } from './wire.mjs';

export class Microphone {
  onsecond = () => {};
  onlevel = () => {};
  #handed = 0; // samples of say()
  #taken = 0;

  // `processed`: without echo, noise and changes of level, as a person at a loudspeaker wants it.
  static async open({ muted = false, processed = true } = {}) {
    const microphone = new Microphone();
    const audio = { channelCount: 1, echoCancellation: processed, noiseSuppression: processed, autoGainControl: processed };
    microphone.stream = await navigator.mediaDevices.getUserMedia({ audio });
    microphone.context = new AudioContext({ sampleRate: INPUT_RATE, latencyHint: 'playback', sinkId: { type: 'none' } });
    await microphone.context.audioWorklet.addModule(new URL('microphone-worklet.mjs', import.meta.url));
    microphone.node = new AudioWorkletNode(microphone.context, 'microphone', { channelCount: 1, channelCountMode: 'explicit' });
    microphone.node.port.onmessage = ({ data }) => microphone.#told(data);
    microphone.context.createMediaStreamSource(microphone.stream).connect(microphone.node);
    microphone.node.connect(microphone.context.destination); // silent; without it the node would not run
    microphone.setMuted(muted);
    await microphone.context.resume();
    return microphone;
  }

  #told(data) {
    if (data.second) {
      this.#taken = Math.min(this.#handed, this.#taken + data.speech);
      this.onsecond(data.second, data.speech);
    } else {
      this.onlevel(data.level);
    }
  }

  start() {
    this.node.port.postMessage({ collect: true });
  }

  stop() {
    this.node.port.postMessage({ collect: false });
  }

  setMuted(muted) {
    this.muted = muted;
    this.node.port.postMessage({ muted });
  }

  // Samples at 16 kHz that are said in place of what the microphone hears.
  say(samples) {
    this.#handed += samples.length;
    this.node.port.postMessage({ say: samples });
  }

  // The samples of a sound file. The browser, which reads files of any kind, would not give a WAV of 16 bit sample for sample.
  async decode(file) {
    const samples = samplesOfWav(file);
    if (samples !== null) return samples;
    const sound = await this.context.decodeAudioData(file);
    const channels = Array.from({ length: sound.numberOfChannels }, (_, n) => sound.getChannelData(n));
    return Float32Array.from(channels[0], (_, i) => channels.reduce((sum, channel) => sum + channel[i], 0) / channels.length);
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

  async close() {
    for (const track of this.stream.getTracks()) track.stop();
    await this.context.close();
  }
}
