"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const tip = document.getElementById("tip");
  const cases = [...document.querySelectorAll("details.case")];
  const rows = [...document.querySelectorAll("#requirements tbody tr")];

  function html(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function svg(parent, tag, attributes, text) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  }

  // ---- numbers for people ----

  const seconds = (us) => (us / 1e6).toFixed(3) + " s";

  function size(bytes) {
    if (bytes < 10000) return bytes + " B";
    return bytes < 1e6 ? (bytes / 1000).toFixed(0) + " kB" : (bytes / 1e6).toFixed(1) + " MB";
  }

  function fitted(text, pixels) {
    const room = Math.max(4, Math.floor(pixels / 6.9));
    return text.length <= room ? text : text.slice(0, room - 1) + "…";
  }

  const SIDES = { c: "client", s: "server", n: "our side" };

  function named(row) {
    const brief = row.k === undefined ? "message" : row.k;
    return row.n > 1 ? brief + " ×" + row.n : brief;
  }

  // What a line beside an arrow has room for: the start of a text, or the size.
  function briefly(row) {
    if (row.n > 1) return "";
    const first = (row.x || "").split("\n")[0];
    if (row.x && (row.x[0] === "{" || /^code /.test(row.x))) return row.x.replace(/\s+/g, " ");
    if (row.d === "c" && row.k === "upgrade") return first;
    return row.b && row.k !== undefined ? size(row.b) : first;
  }

  // ---- the tip: all that is known of a message ----

  function found(data, row) {
    return (row.m || []).map((n) => data.checks[n]).filter(Boolean);
  }

  function fillTip(data, row) {
    tip.replaceChildren();
    const from = row.d === "n" ? SIDES.n : "from the " + SIDES[row.d];
    const when = row.n > 1 ? seconds(row.t) + " to " + seconds(row.e) : seconds(row.t);
    const facts = [from, when];
    if (row.c) facts.push("connection " + row.c);
    if (row.b) facts.push(size(row.b));
    if (row.s) facts.push("step " + row.s);
    if (row.f) facts.push("a fault asked for");
    tip.append(html("b", "", named(row)), html("div", "dim", facts.join(" · ")));
    for (const [name, id, verdict, expected, actual] of found(data, row)) {
      const box = html("div", "found");
      box.append(html("b", "", verdict + " " + id + " " + name), html("div", "", "expected: " + expected),
        html("div", "", "actual: " + actual));
      tip.append(box);
    }
    if (row.x) tip.append(html("pre", "", row.x));
    if (row.y) tip.append(html("div", "dim", "the last of them"), html("pre", "", row.y));
  }

  function showTip(data, row, left, top) {
    fillTip(data, row);
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const below = top + 18 + box.height < innerHeight ? top + 18 : Math.max(8, top - box.height - 12);
    tip.style.left = Math.max(8, Math.min(left + 14, innerWidth - box.width - 8)) + "px";
    tip.style.top = below + "px";
  }

  // That of the message with the focus is shown again where the message now is: the focus itself may scroll the page.
  let tipBeside = null;

  function hideTip() {
    tip.hidden = true;
    tipBeside = null;
  }

  const followTip = () => tipBeside === null ? hideTip() : tipBeside();

  // ---- the picture ----

  const STEP = 25, BAND_MIN = 46;

  // Moments in order: a message, a note, the begin and the end of a band.
  function momentsOf(data) {
    const moments = [];
    let last = 0;
    data.rows.forEach((row, order) => {
      if (row.o) {
        moments.push({ t: last, order, kind: "gap", row });
        return;
      }
      last = Math.max(last, row.t);
      if (row.d === "n") moments.push({ t: row.t, order, kind: "note", row });
      else if (row.n > 2) {
        const band = { row };
        moments.push({ t: row.t, order, kind: "begin", row, band });
        moments.push({ t: row.e, order: order + .5, kind: "end", row, band });
      } else moments.push({ t: row.t, order, kind: "message", row });
    });
    return moments.sort((a, b) => a.t - b.t || a.order - b.order);
  }

  // Gives each its height: in order, further apart the longer the wait was, never on top of each other.
  function place(data, moments, wide) {
    let at = 40, time = 0, connection = 1;
    const used = { c: 30, s: 30, n: 30 }, open = new Map();
    for (const moment of moments) {
      const row = moment.row, side = row.d;
      const waited = Math.max(0, moment.t - time) / 1000;
      at += Math.min(44, 5 * Math.log2(1 + waited / 30));
      time = Math.max(time, moment.t);
      if (!row.o && (row.c || 1) !== connection && moment.kind !== "end") {
        connection = row.c || 1;
        at = Math.max(at, used.c, used.s) + STEP;
        moment.connection = { number: connection, y: at };
        used.c = used.s = at;
      }
      if (moment.kind === "message" || moment.kind === "gap") {
        at = Math.max(at, used.c + STEP, used.s + STEP);
        for (const band of open.keys()) { // below the words in a band that it crosses
          at = Math.max(at, band.y + BAND_MIN + 12);
          band.least = at + 8;
        }
      } else if (moment.kind === "begin") {
        at = Math.max(at, used[side] + STEP - 6);
        open.set(moment.band);
      } else if (moment.kind === "end") {
        at = Math.max(at, moment.band.y + BAND_MIN, moment.band.least || 0);
        open.delete(moment.band);
      }
      else if (wide) at = Math.max(at, used.n + 17);
      else at = Math.max(at, used.s + 18);
      moment.y = at;
      if (moment.kind === "begin") moment.band.y = at;
      if (moment.kind === "end") moment.band.end = at;
      if (moment.kind === "note") used[wide ? "n" : "s"] = at;
      else if (moment.kind === "message" || moment.kind === "gap") used.c = used.s = at + 19 * found(data, row).length;
      else used[side] = at + (moment.kind === "begin" ? 0 : 6 + 19 * found(data, row).length);
    }
    return Math.max(at, used.c, used.s, used.n) + 24;
  }

  function arrowHead(group, x, y, toRight, side) {
    const back = toRight ? x - 9 : x + 9;
    svg(group, "path", { d: `M${x} ${y}L${back} ${y - 4.5}L${back} ${y + 4.5}Z`, class: side + " tip" });
  }

  function verdictLines(data, row, group, x, y, anchor, room) {
    found(data, row).forEach(([name, id, verdict], n) => {
      const bad = /^(FAIL|XPASS|ERROR|CRASH)$/.test(verdict);
      group.classList.add(bad ? "hit" : "remark");
      svg(group, "text", { x, y: y + 17 + 18 * n, class: "verdict", "text-anchor": anchor },
        fitted((bad ? "✗ " : "! ") + verdict + " " + id + " " + name, room));
    });
  }

  function drawMessage(data, group, row, y, area) {
    const toRight = row.d === "c";
    const from = toRight ? area.left : area.right, to = toRight ? area.right : area.left;
    svg(group, "rect", { x: area.left, y: y - 15, width: area.right - area.left, height: 22 + 18 * found(data, row).length,
      rx: 4, class: "reach" });
    svg(group, "line", { x1: from, y1: y, x2: to + (toRight ? -7 : 7), y2: y + 3, class: "arrow " + row.d + (row.f ? " fault" : "") });
    arrowHead(group, to, y + 3, toRight, row.d);
    const x = toRight ? from + 12 : from - 12, anchor = toRight ? "start" : "end";
    const room = area.right - area.left - 40;
    const label = svg(group, "text", { x, y: y - 5.5, "text-anchor": anchor }, fitted(named(row), room));
    const brief = briefly(row), left = room - 7 * named(row).length - 12;
    if (brief && left > 50) {
      const gap = document.createElementNS(SVG, "tspan");
      gap.setAttribute("class", "small");
      gap.setAttribute("dx", "8");
      gap.textContent = fitted(brief, left);
      label.append(gap);
    }
    verdictLines(data, row, group, x, y, anchor, room);
  }

  function drawBand(data, group, row, y, end, area) {
    const middle = (area.left + area.right) / 2, toRight = row.d === "c";
    const x = toRight ? area.left : middle + 7, width = middle - 7 - area.left;
    svg(group, "rect", { x: x - 3, y: y - 3, width: width + 6, height: end - y + 6, rx: 7, class: "reach" });
    svg(group, "rect", { x, y, width, height: end - y, rx: 5, class: "band " + row.d + " " + (/^[a-z]+$/.test(row.k) ? row.k : "") });
    const inner = toRight ? x + width : x;
    arrowHead(group, toRight ? inner + 6 : inner - 6, (y + end) / 2, toRight, row.d);
    const anchor = toRight ? "start" : "end", textX = toRight ? x + 12 : x + width - 12;
    svg(group, "text", { x: textX, y: y + 19, "text-anchor": anchor }, fitted(named(row), width - 20));
    const rate = row.e - row.t > 1e5 ? ((row.n - 1) * 1e6 / (row.e - row.t)).toFixed(1) + "/s" : "";
    const facts = [((row.e - row.t) / 1e6).toFixed(2) + " s", size(row.b || 0), rate].filter(Boolean).join(" · ");
    svg(group, "text", { x: textX, y: y + 36, "text-anchor": anchor, class: "small" }, fitted(facts, width - 20));
    verdictLines(data, row, group, textX, end, anchor, width);
  }

  function drawFrame(picture, area, height, labels) {
    for (const [x, text, side] of [[area.left, labels[0], "start"], [area.right, labels[1], "end"]]) {
      svg(picture, "line", { x1: x, y1: 26, x2: x, y2: height - 8, class: "lane" });
      svg(picture, "text", { x: side === "start" ? x - 1 : x + 1, y: 17, class: "head", "text-anchor": side }, text);
    }
  }

  function itemOf(picture, data, row) {
    const group = svg(picture, "g", { class: "item", tabindex: "-1", role: "img" });
    const verdicts = found(data, row).map((check) => check[2] + " " + check[1] + " " + check[0]);
    group.setAttribute("aria-label", [seconds(row.t), SIDES[row.d], named(row), ...verdicts, row.x || ""].join(", "));
    group.addEventListener("mousemove", (event) => showTip(data, row, event.clientX, event.clientY));
    group.addEventListener("mouseleave", hideTip);
    group.addEventListener("blur", hideTip);
    group.addEventListener("focus", () => {
      tipBeside = () => {
        const box = group.getBoundingClientRect();
        showTip(data, row, box.left + 40, box.bottom - 8);
      };
      tipBeside();
    });
    return group;
  }

  // One stop for the tabulator; the arrow keys go from message to message.
  function walkable(picture) {
    const items = [...picture.querySelectorAll(".item")];
    const first = items.find((item) => item.classList.contains("hit")) || items[0];
    if (first) first.setAttribute("tabindex", "0");
    picture.addEventListener("keydown", (event) => {
      const at = items.indexOf(document.activeElement);
      const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
      if (at < 0 || next === undefined) return;
      event.preventDefault();
      const item = items[Math.max(0, Math.min(items.length - 1, next))];
      items[at].setAttribute("tabindex", "-1");
      item.setAttribute("tabindex", "0");
      item.focus();
    });
  }

  function draw(canvas, data) {
    const width = Math.max(300, canvas.clientWidth), wide = width >= 760;
    const area = { left: wide ? 84 : 62, right: wide ? width - 190 : width - 12 };
    const moments = momentsOf(data);
    const height = place(data, moments, wide);
    const picture = svg(document.createDocumentFragment(), "svg", { viewBox: `0 0 ${width} ${height}`, height, role: "group",
      "aria-label": "The session as arrows between client and server" });
    drawFrame(picture, area, height, ["client", "server"]);
    for (const moment of moments) {
      const { row, y } = moment;
      if (moment.connection) {
        svg(picture, "line", { x1: area.left, y1: moment.connection.y, x2: area.right, y2: moment.connection.y, class: "between" });
        svg(picture, "text", { x: (area.left + area.right) / 2, y: moment.connection.y - 5, class: "small", "text-anchor": "middle" },
          "connection " + moment.connection.number);
      }
      if (moment.kind === "gap") {
        svg(picture, "text", { x: (area.left + area.right) / 2, y, class: "small", "text-anchor": "middle" },
          row.o + " rows are not drawn here");
        continue;
      }
      if (moment.kind === "end") continue;
      if (moment.kind === "note") {
        const text = named(row) + (row.x ? "  " + row.x.replace(/\s+/g, " ") : "");
        const group = itemOf(picture, data, row);
        if (wide) svg(group, "line", { x1: area.right, y1: y, x2: area.right + 8, y2: y, class: "tick" });
        svg(group, "text", { x: wide ? area.right + 12 : area.right - 8, y: y + 4, class: "note",
          "text-anchor": wide ? "start" : "end" }, fitted(text, wide ? 176 : (area.right - area.left) / 2));
        continue;
      }
      svg(picture, "text", { x: area.left - 9, y: y + 4, class: "time" }, seconds(row.t));
      const group = itemOf(picture, data, row);
      if (moment.kind === "begin") drawBand(data, group, row, y, moment.band.end, area);
      else drawMessage(data, group, row, y, area);
    }
    walkable(picture);
    if (!data.rows.some((row) => row.d !== "n")) {
      canvas.replaceChildren(html("p", "nothing", "Nothing crossed the wire."));
      return;
    }
    canvas.replaceChildren(picture);
  }

  // ---- beside the picture: the same as a table, and what the client saw ----

  function cell(line, content) {
    const element = html("td");
    element.append(content);
    line.append(element);
  }

  function tableOf(data) {
    const box = html("div", "scroll table"), table = html("table"), head = html("tr"), body = html("tbody");
    for (const name of ["time", "from", "what", "size", "content"]) head.append(html("th", "", name));
    for (const row of data.rows) {
      const line = html("tr");
      if (row.o) {
        cell(line, row.o + " rows are left out");
        line.firstChild.colSpan = 5;
      } else {
        cell(line, row.n > 1 ? seconds(row.t) + " – " + seconds(row.e) : seconds(row.t));
        cell(line, SIDES[row.d]);
        const what = html("div", "", named(row));
        for (const check of found(data, row)) what.append(html("div", "badge v-" + check[2], check[2] + " " + check[1] + " " + check[0]));
        cell(line, what);
        cell(line, row.b ? size(row.b) : "");
        cell(line, row.x ? html("pre", "", row.x) : "");
      }
      body.append(line);
    }
    const top = html("thead");
    top.append(head);
    table.append(top, body);
    box.append(table);
    return box;
  }

  function opening(title, make, open) {
    const details = html("details", "text");
    details.open = open === true;
    details.append(html("summary", "", title));
    const fill = () => {
      if (details.open && details.children.length === 1) details.append(make());
    };
    details.addEventListener("toggle", fill);
    fill();
    return details;
  }

  function seenOf(data) {
    const list = html("ul", "chips");
    for (const [what, count, marks] of data.seen) {
      const checks = (marks || []).map((n) => data.checks[n]).filter(Boolean);
      const item = html("li", checks.length > 0 ? "hit" : "", what + " ");
      if (count > 1) item.append(html("b", "", "×" + count));
      for (const [name, id, verdict] of checks) item.append(html("strong", "", ` ✗ ${verdict} ${id} ${name}`));
      list.append(item);
    }
    const shown = data.seen.reduce((sum, item) => sum + item[1], 0);
    if (shown < data.seen_count) list.append(html("li", "dim", data.seen_count - shown + " more"));
    return list;
  }

  function openCase(element) {
    const script = element.querySelector("script.data");
    if (!script || !element.open) return;
    const canvas = element.querySelector(".canvas");
    if (!element.data) {
      element.data = JSON.parse(script.textContent);
      if (!element.data.rows) {
        canvas.textContent = "The session is too large for a picture.";
        return;
      }
      const figure = element.querySelector(".picture");
      if (element.data.seen_count > 0)
        figure.after(opening(`What the client says it saw (${element.data.seen_count})`, () => seenOf(element.data),
          element.data.seen.some((item) => item[2])));
      figure.after(opening("The messages as a table", () => tableOf(element.data)));
    }
    if (element.data.rows && canvas.clientWidth !== element.drawnAt) {
      draw(canvas, element.data);
      element.drawnAt = canvas.clientWidth;
    }
  }

  // ---- the filter ----

  const form = document.getElementById("filter"), words = document.getElementById("words");
  const texts = new Map();

  function textOf(element) {
    if (!texts.has(element)) {
      const parts = [element.querySelector("summary") ? "" : element.textContent];
      for (const part of element.querySelectorAll("summary, .expect, .reason, .check, .others, pre")) parts.push(part.textContent);
      for (const link of element.querySelectorAll("a[title]")) parts.push(link.title);
      texts.set(element, parts.join(" ").toLowerCase());
    }
    return texts.get(element);
  }

  function filter() {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kind = new FormData(form).get("show");
    const shown = (elements) => elements.filter((element) => {
      element.hidden = !((kind === "all" || element.dataset.kind === kind) && wanted.every((word) => textOf(element).includes(word)));
      return !element.hidden;
    }).length;
    document.getElementById("found").textContent =
      `${shown(cases)} of ${cases.length} cases, ${shown(rows)} of ${rows.length} requirements`;
    if (wanted.length > 0) document.querySelector("details.matrix").open = true;
  }

  // The next case that failed and is shown, from the one at hand on; behind the last one the first again.
  function goToFailure(step) {
    const failures = cases.filter((element) => element.dataset.kind === "failed" && !element.hidden);
    if (failures.length === 0) return;
    const at = failures.indexOf(document.activeElement.closest("details.case"));
    const next = failures[at < 0 && step < 0 ? failures.length - 1 : (at + step + failures.length) % failures.length];
    next.open = true;
    next.scrollIntoView();
    next.querySelector("summary").focus({ preventScroll: true });
  }

  function followHash() {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.hidden) {
      form.reset();
      filter();
    }
    const around = target.closest("details");
    if (around) around.open = true;
    target.scrollIntoView();
  }

  for (const element of cases) element.addEventListener("toggle", () => openCase(element));
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", followHash);
  addEventListener("scroll", followTip, { passive: true });
  addEventListener("resize", () => cases.forEach(openCase));
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTip();
    if (document.activeElement === words || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      words.focus();
    }
    if (event.key === "n" || event.key === "p") goToFailure(event.key === "n" ? 1 : -1);
  });
  filter();
  const failed = cases.filter((element) => element.dataset.kind === "failed");
  if (failed.length > 0) failed[0].open = true;
  followHash();
})();
