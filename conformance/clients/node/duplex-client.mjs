#!/usr/bin/env node
// The full-duplex speech protocol, driven by ojin-conform: with adapter.mjs, what it takes for any client library.
//
// Where to go comes from the environment: DUPLEX_URL (without its query), DUPLEX_AUDIO, DUPLEX_VIDEO (a folder of
// JPEGs). What was heard is left in CONFORM_OUT.

import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Adapter, CannotDo } from './adapter.mjs';
import { DuplexClient } from './client.mjs';
import { GREY, toFloat32 } from './duplex-wire.mjs';
import { SpeakerFile, readSpeech } from './sound.mjs';

// Those of a camera, in the order of their names.
function readPictures(folder) {
  const names = readdirSync(folder).filter((name) => /\.jpe?g$/i.test(name));
  return names.sort().map((name) => readFileSync(join(folder, name)));
}

class DuplexAdapter extends Adapter {
  needs = ['DUPLEX_URL'];
  audio = 'DUPLEX_AUDIO';
  steps = [...this.steps, 'speak', 'force-listen'];
  speaker = null;

  newClient(env) {
    if (env.CONFORM_OUT) {
      mkdirSync(env.CONFORM_OUT, { recursive: true });
      this.speaker = new SpeakerFile(join(env.CONFORM_OUT, 'sound.wav'));
    }
    const pictures = env.DUPLEX_VIDEO ? readPictures(env.DUPLEX_VIDEO) : [GREY];
    const observe = (seen, members, sound) => this.observeHeard(seen, members, sound);
    return new DuplexClient(env.DUPLEX_URL, env.CONFORM_PROFILE ?? 'video', pictures, observe);
  }

  observeHeard(seen, members, sound) {
    if (seen === 'ready') this.speaker?.begin();
    if (sound !== undefined) this.speaker?.write(members.at, sound); // what is told to be heard can be found in the file
    this.observe(seen, members);
  }

  conditions(count) {
    return {
      ...super.conditions(count),
      speech: () => this.client.session.deltas >= count,
      listen: () => this.client.session.listens >= count,
      turn: () => this.client.session.turns >= count,
    };
  }

  checkStep(step) {
    super.checkStep(step);
    if (step.params !== undefined) throw new CannotDo('speak with params');
  }

  async doStep(step) {
    if (step.do === 'speak') this.client.speak(toFloat32(readSpeech(step.file)));
    else if (step.do === 'force-listen') this.client.forceListen();
    else await super.doStep(step);
  }
}

process.exitCode = await new DuplexAdapter().main(process.env);
