#!/usr/bin/env node
// The Ojin realtime speech API, driven by ojin-conform: with adapter.mjs, what it takes for any client library.
//
// Where to go comes from the environment: OJIN_URL (without its query), OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO.

import { Adapter } from './adapter.mjs';
import { OjinClient } from './client.mjs';
import { readSpeech } from './sound.mjs';

class OjinAdapter extends Adapter {
  needs = { OJIN_URL: 'url', OJIN_API_KEY: 'key', OJIN_CONFIG_ID: 'config' };
  audio = 'OJIN_AUDIO';
  steps = [...this.steps, 'speak', 'cancel'];

  newClient(env) {
    const observe = (seen, members) => this.observe(seen, members);
    return new OjinClient(env.OJIN_URL, env.OJIN_API_KEY, env.OJIN_CONFIG_ID, env.CONFORM_PROFILE, observe);
  }

  conditions(count) {
    return { ...super.conditions(count), speech: () => this.client.session.speechPlayed >= count };
  }

  async doStep(step) {
    if (step.do === 'speak') this.client.speak(readSpeech(step.file), step.params);
    else if (step.do === 'cancel') await this.client.cancel();
    else await super.doStep(step);
  }
}

process.exitCode = await OjinAdapter.run();
