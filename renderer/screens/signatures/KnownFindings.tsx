import { IconAlertTriangle } from '@tabler/icons-react';
import { ratioText, shownRatio } from '../../../core/contracts/certainty.ts';
import {
  type KnownFindings as Findings,
  type KnownSetRecord,
  KNOWN_ALTERNATIVES,
  overstatesSupport,
  type KnownAlternative,
  type KnownWarning,
} from '../../../core/contracts/knownSignatures.ts';
import type { SignatureReason } from '../../../core/contracts/signatures.ts';
import { useWords, useCertainty } from '../../i18n/words.tsx';
import '../../components/parts.css';

/** The findings of a comparison with several known signatures, or the reason why it has none. */
export function KnownFindings({ of: { findings, reasons, acrossMedia } }: { of: KnownSetRecord }) {
  const { t, count } = useWords();
  if (findings === null)
    return (
      <>
        <p>{t('knownSignatures.notCompared')}</p>
        {reasons.questioned === null ? null : (
          <UnusableImage image={t('knownSignatures.questioned')} reason={reasons.questioned} />
        )}
        {reasons.known.map((reason, index) =>
          reason === null ? null : (
            <UnusableImage
              // The place of a known signature is what names it.
              key={`${index}-${reason}`}
              image={t('knownSignatures.specimen', { number: count(index + 1) })}
              reason={reason}
            />
          ),
        )}
      </>
    );
  const { ratios } = findings;
  return (
    <>
      <h2>{t('knownSignatures.findings')}</h2>
      {ratios === null ? (
        <NoRatios of={findings} />
      ) : (
        KNOWN_ALTERNATIVES.map((alternative) => (
          <Ratio key={alternative} alternative={alternative} of={ratios[alternative]} />
        ))
      )}
      <Warnings of={findings} />
      <p>{t('knownSignatures.separate')}</p>
      <p>{t('knownSignatures.notCovered')}</p>
      <Facts of={findings} acrossMedia={acrossMedia} />
    </>
  );
}

function Ratio(props: {
  alternative: KnownAlternative;
  of: NonNullable<Findings['ratios']>[KnownAlternative];
}) {
  const {
    alternative,
    of: { log10, bounds, support },
  } = props;
  const { t, count } = useWords();
  const { strengths } = useCertainty();
  const ratio = useRatioText();
  const { favours, strength } = support;
  return (
    <section className={`known-finding known-finding-${favours}`}>
      <h3>{t(`knownSignatures.against_${alternative}`)}</h3>
      <p className="support-words">
        {t(`knownSignatures.favours_${favours}_${alternative}`, {
          strength: strengths[strength],
        })}
      </p>
      <p>{t(`knownSignatures.means_${favours}_${alternative}`, { ratio: count(shownRatio(log10)) })}</p>
      <p className="soft">
        {t('knownSignatures.bounds', {
          value: ratio(log10),
          lowest: ratio(bounds.lowest),
          highest: ratio(bounds.highest),
        })}
      </p>
      {overstatesSupport(log10) ? <p>{t('knownSignatures.overstates')}</p> : null}
    </section>
  );
}

function useRatioText(): (log10Lr: number) => string {
  const { count } = useWords();
  return (log10Lr) => ratioText(log10Lr, count);
}

function NoRatios({ of: { agreement } }: { of: Findings }) {
  const { t, count, list } = useWords();
  const numbers = (group: readonly number[]) => list(group.map((index) => count(index + 1)));
  const [first, second] = agreement.groups ?? [[], []];
  return (
    <section className="known-finding known-finding-neither">
      <p className="support-words">{t('knownSignatures.noRatios')}</p>
      <p>{t('knownSignatures.groups', { first: numbers(first), second: numbers(second) })}</p>
    </section>
  );
}

/** Their text says more: which signature differs, and the groups in place of the findings. */
const OWN_TEXT: ReadonlySet<KnownWarning> = new Set(['TWO_GROUPS', 'ONE_KNOWN_DIFFERS']);

function Warnings({ of: { agreement, warnings } }: { of: Findings }) {
  const { t } = useWords();
  const differing = useDifferingText(agreement.differing);
  const texts = [
    ...(differing === null ? [] : [differing]),
    ...warnings
      .filter((warning) => !OWN_TEXT.has(warning))
      .map((warning) => t(`knownSignatures.warning.${warning}`)),
  ];
  if (texts.length === 0) return null;
  return (
    <ul className="known-finding-warnings" aria-label={t('knownSignatures.warnings')}>
      {texts.map((text) => (
        <li key={text} className="callout">
          <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
          {text}
        </li>
      ))}
    </ul>
  );
}

/** The known signature that differs from the others, and the result without it. */
function useDifferingText(differing: Findings['agreement']['differing']): string | null {
  const { t, count } = useWords();
  const ratio = useRatioText();
  if (differing === null) return null;
  const { index, ratiosWithout } = differing;
  const bounded = ({ log10, bounds }: (typeof ratiosWithout)[KnownAlternative]) =>
    t('knownSignatures.boundedRatio', {
      value: ratio(log10),
      lowest: ratio(bounds.lowest),
      highest: ratio(bounds.highest),
    });
  return t('knownSignatures.differs', {
    number: count(index + 1),
    imitation: bounded(ratiosWithout.imitation),
    stranger: bounded(ratiosWithout.stranger),
  });
}

function Facts({ of, acrossMedia }: { of: Findings; acrossMedia: boolean }) {
  const { t, count, decimal } = useWords();
  const { typicality, agreement, known, nearest, farthest, complexity } = of;
  const specimen = (index: number) =>
    t('knownSignatures.specimenAt', {
      number: count(index + 1),
      similarity: decimal(known[index]?.similarity ?? 0),
    });
  const rank =
    typicality === null
      ? t('knownSignatures.typicalityNone')
      : t('knownSignatures.typicalityText', {
          closer: count(typicality.closer),
          of: count(typicality.of),
        });
  const facts = [
    [t('knownSignatures.typicality'), rank],
    ...(agreement.similarity === null
      ? []
      : [
          [
            t('knownSignatures.agreement'),
            t('knownSignatures.agreementText', { similarity: decimal(agreement.similarity) }),
          ] as const,
        ]),
    [t('knownSignatures.nearest'), specimen(nearest)],
    [t('knownSignatures.farthest'), specimen(farthest)],
    [t('knownSignatures.complexity'), t(`knownSignatures.complexity_${complexity}`)],
    [t('knownSignatures.media'), t(`knownSignatures.media_${acrossMedia ? 'several' : 'one'}`)],
  ] as const;
  return (
    <dl className="facts">
      {facts.map(([name, value]) => [
        <dt key={`${name}-name`}>{name}</dt>,
        <dd key={`${name}-value`}>{value}</dd>,
      ])}
    </dl>
  );
}

/** An image that could not be compared, and why. */
export function UnusableImage({ image, reason }: { image: string; reason: SignatureReason }) {
  const { t, list } = useWords();
  return (
    <p className="callout">
      <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
      <span>
        <strong>{list([image, t('signatures.unusable')])}:</strong> {t(`signatures.reason.${reason}`)}
      </span>
    </p>
  );
}
