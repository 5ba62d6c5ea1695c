// What a program in TypeScript may say; not run.
import { attachMock, FindingsError, JournalTimeout, NoConnectionError, startMock, withOjin, type Finding, type Scenario } from 'ojin-tools';
import { ojinTest, test } from 'ojin-tools/vitest';
import setup from 'ojin-tools/vitest-setup';

const mock = await startMock({ profile: ['oris-1.0', 'audio'], quirks: { fade: true }, family: ['ojin', 'duplex'] });
const scenario: Scenario = await mock.scenario({ card: 'mock.drop=10' });
const entry = await scenario.journal.waitFor({ kind: 'cancelInteraction' }, { timeout: 2000 });
const texts: string[] = (await scenario.findings()).map((finding: Finding) => finding.text);
const audio: Buffer = await (await mock.sessions())[0]!.audio();
const other: Scenario = await (await attachMock(mock.handle())).scenario();
const handler: (context: { name: string }) => Promise<void> = withOjin({ findings: ['OJ-CON-02'], expectConnection: false }, async (ojin, context: { name: string }) => {
  console.log(ojin.url, context.name, entry.n, texts, audio.length, other.id);
});
// @ts-expect-error: a family that there is not
await mock.scenario({ family: 'opera' });
test('a fixture', ({ ojin }) => void ojin.key.length);
ojinTest({ fault: 'drop=10' })('another', async ({ ojin }) => ojin.assertNoFindings({ except: ['OJ-CON-02'] }));
console.log(handler, setup, FindingsError, JournalTimeout, NoConnectionError, await scenario.asked());
await mock.stop();
