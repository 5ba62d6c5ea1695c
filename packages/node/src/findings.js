// Findings as the reason why a test fails.

/** What clients did against the documents; `findings` has each. */
export class FindingsError extends Error {
  constructor(findings) {
    const lines = findings.map(({ text, statement }) => (statement ? `${text}\n    ${statement}` : text));
    const head = findings.length === 1 ? 'the client broke a requirement' : `the client broke requirements ${findings.length} times`;
    super(`${head}:\n  ${lines.join('\n  ')}`);
    this.name = 'FindingsError';
    this.findings = findings;
  }
}

/** A test ended, and no client had asked to be let in. */
export class NoConnectionError extends Error {
  constructor(url) {
    super(
      `no client connected to ${url} in this test, so it shows nothing of the client. Does the client take the test's own url? ` +
        'expectConnection: false is for a test without a client',
    );
    this.name = 'NoConnectionError';
  }
}

/** Those that `judge` does not let pass: true judges all, false none, a list, or one, is of requirements that may be broken. */
export function judged(findings, judge = true) {
  if (judge === false) return [];
  return judge === true ? findings : findings.filter((one) => ![judge].flat().includes(one.requirement));
}
