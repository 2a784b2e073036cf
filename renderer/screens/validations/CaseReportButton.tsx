import { useTranslation } from 'react-i18next';
import { caseReport } from '../../api/validations.ts';
import { ReportButton } from '../../components/ReportButton.tsx';

/** Saves the case as a PDF. `match`: the only match that the report shows side by side; all are listed. */
export function CaseReportButton({ id, match }: { id: number; match?: string }) {
  const { i18n } = useTranslation();
  const make = () => caseReport(id, { language: i18n.language, match });
  return <ReportButton fileName={`validation-${id}.pdf`} make={make} />;
}
