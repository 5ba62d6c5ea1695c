#!/usr/bin/env node
import { run } from '../src/run.js';

run('ojin-mock', process.argv.slice(2));
