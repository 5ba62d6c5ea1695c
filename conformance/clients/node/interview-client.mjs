#!/usr/bin/env node
// The realtime interview API, driven by ojin-conform: with adapter.mjs, what it takes for any client library.
//
// Where to go comes from the environment: INTERVIEW_URL (without its query), INTERVIEW_TOKEN, INTERVIEW_AUDIO. What was
// heard is left in CONFORM_OUT.

import { ListenerAdapter } from './adapter.mjs';
import { InterviewClient } from './client.mjs';
import { RATE, SAMPLE_BYTES } from './interview-wire.mjs';
import { readSpeech } from './sound.mjs';

class InterviewAdapter extends ListenerAdapter {
  needs = { INTERVIEW_URL: 'url', INTERVIEW_TOKEN: 'key' };
  audio = 'INTERVIEW_AUDIO';
  steps = [...this.steps, 'speak', 'cancel'];

  newClient(env) {
    this.openSpeaker(env, SAMPLE_BYTES);
    const observe = (seen, members, sound) => this.observe(seen, members, sound);
    return new InterviewClient(env.INTERVIEW_URL, env.INTERVIEW_TOKEN, env.CONFORM_PROFILE, observe);
  }

  async doStep(step) {
    if (step.do === 'speak') this.client.speak(readSpeech(step.file, RATE));
    else if (step.do === 'cancel') await this.client.cancel();
    else await super.doStep(step);
  }
}

process.exitCode = await InterviewAdapter.run();
