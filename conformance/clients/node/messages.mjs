// What the families of JSON messages share: a message is not taken at its word, and its sound stands in base64.

export class BadAudio extends Error {} // sound that cannot be played

// Empty for what is no object; throws for what is no JSON.
export function parseObject(text) {
  const message = JSON.parse(text);
  return message !== null && typeof message === 'object' ? message : {};
}

export function textOf(message, name) {
  return typeof message[name] === 'string' ? message[name] : '';
}

// Undefined for what is no count.
export function countOf(message, name) {
  const value = message[name];
  return Number.isInteger(value) && value >= 0 ? Math.min(value, 0xffffffff) : undefined;
}

// Whole samples. Null or nothing at all is no sound, and no fault.
export function soundOf(message, sampleBytes) {
  const encoded = message.audio ?? '';
  if (typeof encoded !== 'string') throw new BadAudio('audio is no string');
  const sound = Buffer.from(encoded, 'base64');
  if (sound.toString('base64') !== encoded) throw new BadAudio('audio is no base64');
  if (sound.length % sampleBytes !== 0) throw new BadAudio(`audio of ${sound.length} bytes ends inside a sample`);
  return sound;
}
