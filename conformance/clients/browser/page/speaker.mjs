// The loudspeaker as the page sees it. What is heard is told when it was played: `onheard` { at, samples, begins } and
// `onturn` { at, samples } of a turn played to its end, on a clock of samples at 24 kHz from start() on.
import { OUTPUT_RATE } from './sound.mjs';

export class Speaker {
  onheard = () => {};
  onturn = () => {};
  #dropped = [];

  // `usual`: samples of a usual delta, where they come at the pace at which they are played.
  static async open(usual) {
    const speaker = new Speaker();
    speaker.context = new AudioContext({ sampleRate: OUTPUT_RATE, latencyHint: 'balanced' });
    await speaker.context.audioWorklet.addModule(new URL('speaker-worklet.mjs', import.meta.url));
    speaker.node = new AudioWorkletNode(speaker.context, 'speaker', { numberOfInputs: 0, outputChannelCount: [1], processorOptions: { usual } });
    speaker.node.port.onmessage = ({ data }) => speaker.#told(data);
    speaker.node.connect(speaker.context.destination);
    await speaker.context.resume();
    return speaker;
  }

  #told(data) {
    if (data.heard) this.onheard(data.heard);
    else if (data.turn) this.onturn(data.turn);
    else this.#dropped.shift()(data.dropped);
  }

  start() {
    this.node.port.postMessage({ start: true });
  }

  add(id, samples, endOfTurn) {
    this.node.port.postMessage({ add: { id, samples, endOfTurn } });
  }

  // Once nothing more is played: { at, samples, inTurn, turnSamples }.
  drop() {
    this.node.port.postMessage({ drop: true });
    return new Promise((resolve) => this.#dropped.push(resolve));
  }

  async close() {
    await this.context.close();
  }
}
