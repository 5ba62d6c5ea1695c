#!/usr/bin/env node
// The full-duplex speech protocol, driven by ojin-conform: with adapter.mjs, what it takes for any client library.
//
// Where to go comes from the environment: DUPLEX_URL (without its query), DUPLEX_AUDIO, DUPLEX_VIDEO (a folder of
// JPEGs). What was heard is left in CONFORM_OUT.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ListenerAdapter } from './adapter.mjs';
import { DuplexClient } from './client.mjs';
import { GREY, SAMPLE_BYTES, toFloat32 } from './duplex-wire.mjs';
import { readSpeech } from './sound.mjs';

// Those of a camera, in the order of their names.
function readPictures(folder) {
  const names = readdirSync(folder).filter((name) => /\.jpe?g$/i.test(name));
  return names.sort().map((name) => readFileSync(join(folder, name)));
}

class DuplexAdapter extends ListenerAdapter {
  needs = { DUPLEX_URL: 'url' };
  mayHave = { DUPLEX_VIDEO: 'video' };
  audio = 'DUPLEX_AUDIO';
  steps = [...this.steps, 'speak', 'force-listen'];

  newClient(env) {
    this.openSpeaker(env, SAMPLE_BYTES);
    const pictures = env.DUPLEX_VIDEO ? readPictures(env.DUPLEX_VIDEO) : [GREY];
    const observe = (seen, members, sound) => this.observe(seen, members, sound);
    return new DuplexClient(env.DUPLEX_URL, env.CONFORM_PROFILE ?? 'video', pictures, observe);
  }

  conditions(count) {
    return { ...super.conditions(count), listen: () => this.client.session.listens >= count };
  }

  async doStep(step) {
    if (step.do === 'speak') this.client.speak(toFloat32(readSpeech(step.file)));
    else if (step.do === 'force-listen') this.client.forceListen();
    else await super.doStep(step);
  }
}

process.exitCode = await DuplexAdapter.run();
