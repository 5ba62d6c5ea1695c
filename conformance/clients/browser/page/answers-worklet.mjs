// The microphone on the sound card's own thread: gathers an answer in chunks of 150 ms. What is to be said in the microphone's
// place goes sample for sample, at the same pace.

const CHUNK_SECONDS = 0.15;
const LEVEL_EVERY = 47; // blocks of 128 samples, about a quarter of a second

class AnswersProcessor extends AudioWorkletProcessor {
  constructor() {
    super();
    this.muted = false;
    this.blocks = this.peak = 0;
    this.begin({ answer: 0 });
    this.port.onmessage = ({ data }) => {
      if (data.muted !== undefined) this.muted = data.muted;
      if (data.answer !== undefined) this.begin(data);
      if (data.done && this.listens) this.hand(true);
    };
  }

  begin({ answer, listen = false, say = null }) {
    this.answer = answer;
    this.listens = listen;
    this.said = say;
    this.empty();
  }

  empty() {
    this.chunk = new Float32Array(Math.round(CHUNK_SECONDS * sampleRate));
    this.filled = 0;
  }

  hand(last) {
    const chunk = this.chunk.slice(0, this.filled);
    this.port.postMessage({ chunk, last, answer: this.answer }, [chunk.buffer]);
    if (last) this.begin({ answer: this.answer });
    else this.empty();
  }

  // A full chunk goes when more follows: else it is the last.
  collect(block) {
    for (let at = 0; at < block.length; ) {
      if (this.filled === this.chunk.length) this.hand(false);
      const count = Math.min(block.length - at, this.chunk.length - this.filled);
      this.chunk.set(block.subarray(at, at + count), this.filled);
      this.filled += count;
      at += count;
    }
  }

  process([input]) {
    const block = input.length > 0 && !this.muted ? input[0] : new Float32Array(128);
    for (const sample of block) this.peak = Math.max(this.peak, Math.abs(sample));
    if (++this.blocks % LEVEL_EVERY === 0) {
      this.port.postMessage({ level: this.peak });
      this.peak = 0;
    }
    if (this.listens) {
      this.collect(block);
    } else if (this.said !== null) {
      this.collect(this.said.subarray(0, block.length));
      this.said = this.said.subarray(block.length);
      if (this.said.length === 0) this.hand(true);
    }
    return true;
  }
}

registerProcessor('answers', AnswersProcessor);
