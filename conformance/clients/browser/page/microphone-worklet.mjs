// The microphone on the sound card's own thread: gathers whole seconds. The first is there at once: what was heard in the second
// before, so that a server does not wait for one. What is to be said in the microphone's place, sample for sample, takes its turn
// in the same seconds.

const LEVEL_EVERY = 31; // blocks of 128 samples, about a quarter of a second

class MicrophoneProcessor extends AudioWorkletProcessor {
  constructor() {
    super();
    this.said = []; // Float32Arrays
    this.saidFrom = 0; // sample of the first of them
    this.muted = false;
    this.collecting = false;
    this.blocks = this.peak = 0;
    this.heard = new Float32Array(sampleRate); // before the start: the latest second, round and round
    this.heardAt = 0;
    this.begin();
    this.port.onmessage = ({ data }) => {
      if (data.collect !== undefined) this.setCollecting(data.collect);
      if (data.muted !== undefined) this.muted = data.muted;
      if (data.say) this.said.push(data.say);
      if (data.forget) {
        this.said = [];
        this.saidFrom = 0;
      }
    };
  }

  setCollecting(collecting) {
    this.collecting = collecting;
    this.begin();
    if (!collecting) return;
    this.collect(this.heard.subarray(this.heardAt));
    this.collect(this.heard.subarray(0, this.heardAt));
    this.heard.fill(0);
  }

  begin() {
    this.second = new Float32Array(sampleRate);
    this.filled = 0;
    this.speech = 0; // samples of the second that were to be said
  }

  // What is to be said, into `out`; returns how much there was.
  takeSaid(out) {
    let taken = 0;
    while (taken < out.length && this.said.length > 0) {
      const part = this.said[0].subarray(this.saidFrom, this.saidFrom + out.length - taken);
      out.set(part, taken);
      taken += part.length;
      this.saidFrom += part.length;
      if (this.saidFrom < this.said[0].length) continue;
      this.said.shift();
      this.saidFrom = 0;
    }
    return taken;
  }

  collect(block) {
    for (let at = 0; at < block.length; ) {
      const count = Math.min(block.length - at, this.second.length - this.filled);
      const room = this.second.subarray(this.filled, this.filled + count);
      room.set(block.subarray(at, at + count));
      const taken = this.takeSaid(room);
      if (taken > 0) room.fill(0, taken); // where speech ends, the microphone begins with the next block
      this.speech += taken;
      this.filled += count;
      at += count;
      if (this.filled < this.second.length) continue;
      this.port.postMessage({ second: this.second, speech: this.speech }, [this.second.buffer]);
      this.begin();
    }
  }

  remember(block) {
    for (const sample of block) {
      this.heard[this.heardAt] = sample;
      this.heardAt = (this.heardAt + 1) % this.heard.length;
    }
  }

  process([input]) {
    const block = input.length > 0 && !this.muted ? input[0] : new Float32Array(128);
    for (const sample of block) this.peak = Math.max(this.peak, Math.abs(sample));
    if (++this.blocks % LEVEL_EVERY === 0) {
      this.port.postMessage({ level: this.peak });
      this.peak = 0;
    }
    if (this.collecting) this.collect(block);
    else this.remember(block);
    return true;
  }
}

registerProcessor('microphone', MicrophoneProcessor);
