// Speaks a sound file to an Ojin server and counts the frames that come back.
//
// OJIN_URL, OJIN_API_KEY, OJIN_CONFIG_ID and OJIN_AUDIO say where and what. Exit 1 on any error, which is in the log.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";

const CHUNK_BYTES = 12800; // 400 ms
const FRAME_BYTES = 1280;
const { OJIN_URL, OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO, CONFORM_PROFILE } = process.env;

function readWav(path) {
  const file = readFileSync(path);
  let format = null;
  for (let at = 12; at + 8 <= file.length; at += 8 + file.readUInt32LE(at + 4) + (file.readUInt32LE(at + 4) & 1)) {
    const name = file.toString("latin1", at, at + 4);
    if (name === "fmt ") format = [file.readUInt32LE(at + 12), file.readUInt16LE(at + 10), file.readUInt16LE(at + 22)];
    if (name !== "data") continue;
    if (String(format) !== "16000,1,16") throw new Error("only 16 bit mono at 16 kHz is spoken");
    return file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4));
  }
  throw new Error("no sound in the file");
}

function message(audio) {
  const head = Buffer.alloc(13);
  head.writeUInt8(1, 0);
  head.writeBigUInt64BE(BigInt(Date.now()), 1);
  return Buffer.concat([head, audio]);
}

async function speak(ws, audio) {
  for (let at = 0; at < audio.length && ws.readyState === WebSocket.OPEN; at += CHUNK_BYTES) {
    ws.send(message(audio.subarray(at, at + CHUNK_BYTES)));
    await sleep(400);
  }
  if (ws.readyState === WebSocket.OPEN) ws.send(JSON.stringify({ type: "endInteraction", payload: { timestamp: Date.now() } }));
}

function session(audio) {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(`${OJIN_URL}?config_id=${encodeURIComponent(OJIN_CONFIG_ID)}`, {
      headers: { Authorization: OJIN_API_KEY },
      handshakeTimeout: 10000,
    });
    let frames = 0;
    let done = false;
    let ready = false;
    const alarm = setTimeout(() => { reject(new Error("no sessionReady within 10 s")); ws.close(1000); }, 10000);
    ws.on("message", (data, isBinary) => {
      try {
        if (!isBinary) {
          const text = JSON.parse(data.toString());
          if (text.type === "errorResponse") throw new Error(`${text.payload.code}: ${text.payload.message}`);
          if (text.type !== "sessionReady" || ready) return;
          ready = true;
          clearTimeout(alarm);
          if (CONFORM_PROFILE !== "oris-1.0-earlier") ws.send(message(Buffer.alloc(FRAME_BYTES)));
          speak(ws, audio).catch(reject);
          return;
        }
        frames += 1;
        if (data[0] === 1) {
          done = true;
          ws.close(1000);
        }
      } catch (error) {
        reject(error);
        ws.close(1000);
      }
    });
    ws.on("error", reject);
    ws.on("close", (code) => {
      clearTimeout(alarm);
      if (done) resolve(frames);
      else reject(new Error(`the connection was closed with ${code} before the final frame`));
    });
  });
}

try {
  console.error(`${await session(readWav(OJIN_AUDIO))} frames`);
} catch (error) {
  console.error(error.stack);
  process.exitCode = 1;
}
