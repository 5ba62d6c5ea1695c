// The loudspeaker on the sound card's own thread. Its messages: start, add and drop, as Playout has them.
import { Playout } from './playout.mjs';

class SpeakerProcessor extends AudioWorkletProcessor {
  constructor({ processorOptions: { usual } }) {
    super();
    this.playout = new Playout(sampleRate, usual, (told) => this.port.postMessage(told));
    this.port.onmessage = ({ data }) => {
      if (data.start) this.playout.start(currentFrame);
      else if (data.add) this.playout.add(currentFrame, data.add);
      else if (data.drop) this.port.postMessage({ dropped: this.playout.drop(currentFrame) });
    };
  }

  process(inputs, [[out]]) {
    this.playout.render(currentFrame, out);
    return true;
  }
}

registerProcessor('speaker', SpeakerProcessor);
