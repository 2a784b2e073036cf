/** Several services screen the photos of one person at the same moment: not two of them may pass. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import { companySettings } from '../../core/contracts/settings.ts';
import { Verifications, type VerificationReference } from '../../core/domain/screening/verifications.ts';
import { TEST_ACT } from '../support/act.ts';
import { SILENT_LOG } from '../support/fakes.ts';
import { photoOf, visionOfPeople } from '../support/people.ts';
import { openServices } from '../support/severalServices.ts';
import { temporaryFolder, TestClock } from '../support/site.ts';
import { WITHOUT_SERVER } from '../support/testServer.ts';

const ROUNDS = Number(process.env.VOUCH_ROUNDS ?? 5);
const SERVICES = 3;
const { ReviewNeeded, Verified } = TRUST_VALIDATION_STATUS;

test(
  'of the photos of one person that services finalise together one passes',
  { skip: WITHOUT_SERVER },
  async (t) => {
    const { nodes } = await openServices(t, SERVICES);
    const services = nodes.map(({ storage, gallery }) => ({
      flows: storage.flows,
      verifications: new Verifications({
        ...storage,
        gallery,
        vision: visionOfPeople(),
        clock: new TestClock(),
        log: SILENT_LOG,
      }),
    }));
    const images = join(temporaryFolder(t), 'images');
    for (let round = 0; round < ROUNDS; round++) {
      const company = await nodes[0]!.storage.companies.create(
        {
          name: `Company ${round}`,
          storageFolder: join(images, String(round)),
          settings: companySettings.parse({}),
        },
        TEST_ACT,
      );
      const { id: flowId } = await services[0]!.flows.create(company.id, 'Onboarding', {}, 'local-admin');
      const references: VerificationReference[] = [];
      for (const { verifications } of services) {
        const created = await verifications.create(company, flowId, null, 'local-admin');
        assert.ok(created);
        const reference = { flowId, id: created.validation.id };
        const taken = await verifications.takeSelfie(
          company,
          reference,
          photoOf(1, references.length),
          'local-admin',
        );
        assert.equal(taken.kind, 'taken');
        references.push(reference);
      }
      const states = await Promise.all(
        services.map(({ verifications }, i) =>
          verifications.finalise(company, references[i]!, 'local-admin'),
        ),
      );
      assert.deepEqual(
        states.map((state) => state?.status).toSorted(),
        [ReviewNeeded, ReviewNeeded, Verified],
        `round ${round}`,
      );
      const [passed] = states.filter((state) => state?.status === Verified);
      for (const state of states.filter((one) => one !== passed)) {
        const detail = await nodes[0]!.storage.validations.detail(company.id, state!.id);
        assert.deepEqual(
          detail?.duplicates.map(({ trustValidationId }) => trustValidationId),
          [passed!.id],
        );
      }
    }
  },
);
