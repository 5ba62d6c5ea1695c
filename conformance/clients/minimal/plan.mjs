#!/usr/bin/env node
// The plan tier: it also does what the plan asks. What it does not know it declines with exit 77.

import { obey } from './session.mjs';

process.exitCode = await obey(process.env);
