#!/usr/bin/env node
// The observe tier: it also says what it sees, a line of JSON each on standard output.

import { obey } from './session.mjs';

process.exitCode = await obey(process.env, (members) => console.log(JSON.stringify({ conform: 1, ...members })));
