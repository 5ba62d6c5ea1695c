#!/usr/bin/env node
import { run } from '../src/run.js';

run('ojin-client', process.argv.slice(2));
