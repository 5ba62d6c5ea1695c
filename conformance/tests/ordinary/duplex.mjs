// Says a sound file to a full-duplex server, a second every second, and prints what it answers.
//
// DUPLEX_URL (without its query), DUPLEX_AUDIO and, for pictures, DUPLEX_VIDEO, a folder of JPEG files. Exit 1 on any error, which
// is in the log.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";

const RATE = 16000;
const ANSWER_WAIT_MS = 10000;
const CLOSING = ["service_unavailable", "queue_full", "worker_busy", "worker_connect_failed"]; // other errors leave the session going
const { DUPLEX_URL, DUPLEX_AUDIO, DUPLEX_VIDEO, CONFORM_PROFILE = "" } = process.env;

function readSound(path) {
  const file = readFileSync(path);
  let format = null;
  for (let at = 12; at + 8 <= file.length; at += 8 + file.readUInt32LE(at + 4) + (file.readUInt32LE(at + 4) & 1)) {
    const name = file.toString("latin1", at, at + 4);
    if (name === "fmt ") format = [file.readUInt32LE(at + 12), file.readUInt16LE(at + 10), file.readUInt16LE(at + 22)];
    if (name !== "data") continue;
    if (String(format) !== `${RATE},1,16`) throw new Error("only 16 bit mono at 16 kHz is said");
    const data = file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4));
    const seconds = [];
    for (let from = 0; from < data.length / 2; from += RATE) {
      const second = Buffer.alloc(RATE * 4);
      for (let i = 0; i < RATE && from + i < data.length / 2; i += 1) second.writeFloatLE(data.readInt16LE(2 * (from + i)) / 32768, 4 * i);
      seconds.push(second);
    }
    return seconds;
  }
  throw new Error("no sound in the file");
}

const pictures = DUPLEX_VIDEO && !CONFORM_PROFILE.endsWith("audio")
  ? readdirSync(DUPLEX_VIDEO).filter((name) => name.endsWith(".jpg")).sort().map((name) => readFileSync(`${DUPLEX_VIDEO}/${name}`).toString("base64"))
  : [];

function session(seconds) {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(`${DUPLEX_URL}?mode=${pictures.length > 0 ? "video" : "audio"}`, { handshakeTimeout: 10000 });
    let answered = false;
    let closing = false;
    let over = false;
    let state = "queued";
    const send = (message) => ws.send(JSON.stringify(message));

    async function say() {
      const begin = Date.now();
      let deadline = null;
      for (let number = 0; !over; number += 1) {
        if (number >= seconds.length) deadline ??= Date.now() + ANSWER_WAIT_MS;
        if (deadline !== null && (answered || Date.now() > deadline)) break;
        const message = { type: "input_audio_buffer.append", audio: (seconds[number] ?? Buffer.alloc(4 * RATE)).toString("base64") };
        if (pictures.length > 0) message.video_frames = [pictures[number % pictures.length]];
        send(message);
        await sleep(Math.max(0, begin + 1000 * (number + 1) - Date.now()));
      }
      if (over) return;
      closing = true;
      send({ type: "session.close", reason: "user_stop" });
    }

    const fail = (error) => {
      over = true;
      reject(error);
      ws.close(1000);
    };
    ws.on("message", (data) => {
      try {
        const message = JSON.parse(data.toString());
        if (message.type === "session.queue_done" && state === "queued") {
          state = "connected";
          send({ type: "session.update", session: { instructions: "You are a friendly guide." } });
        } else if (message.type === "session.created" && state === "connected") {
          state = "active";
          say().catch(fail);
        } else if (message.type === "response.output_audio.delta") {
          process.stdout.write(message.text);
          answered ||= message.end_of_turn;
        } else if (message.type === "session.closed") {
          over = true;
          if (!closing || message.reason !== "stopped") throw new Error(`closed by the server: ${message.reason}`);
          resolve();
          ws.close(1000);
        } else if (message.type === "error" && !CLOSING.includes(message.error.code)) {
          console.error(`${message.error.code}: ${message.error.message}`);
        } else if (message.type === "error") {
          throw new Error(`${message.error.code}: ${message.error.message}`);
        }
      } catch (error) {
        fail(error);
      }
    });
    ws.on("error", fail);
    ws.on("close", (code) => fail(new Error(`the connection was lost with ${code}`)));
  });
}

try {
  await session(readSound(DUPLEX_AUDIO));
} catch (error) {
  console.error(error.stack);
  process.exitCode = 1;
}
