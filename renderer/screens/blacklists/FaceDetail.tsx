import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconArrowLeft, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { BLACKLIST_STATUS } from '../../../core/contracts/codes.ts';
import type { BlacklistFace, BlacklistRow } from '../../../core/contracts/dashboard/blacklists.ts';
import { faceQuery } from '../../api/paletteSearch.ts';
import { useMay } from '../../api/session.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { FaceImageFacts } from '../../compare/faceImageFacts.tsx';
import { ListingFacts } from '../../components/Severity.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { WholePhoto } from '../../components/WholePhoto.tsx';
import { useKeys } from '../../state/keys.ts';
import { EditListing } from './ListingForm.tsx';
import { WhoSaw } from '../../components/WhoSaw.tsx';

const PHOTO = { width: 320, height: 360 };

/** One face of a blacklist: the whole photo with the face's box, and its facts. */
export function FaceDetail({ id, list, back }: { id: number; list: BlacklistRow; back: () => void }) {
  const { t } = useTranslation();
  const query = useQuery(faceQuery(id));
  return (
    <Detail back={back}>
      <Loaded query={query} rows={6}>
        {({ faceImage, listing, expired }) => (
          <>
            <span className="row wrap">
              <h3 dir="auto" className="cut">
                {faceImage.fileName}
              </h3>
              {listing === null ? null : (
                <EditListing list={list.id} faces={[id]} face={{ name: faceImage.fileName, listing }} />
              )}
              <WhoSaw of={`face:${id}`} />
            </span>
            <div className="face-detail-pair">
              <div>
                <dl className="facts">
                  <dt>{t('validations.faceUploadId')}</dt>
                  <dd>{id}</dd>
                  {listing === null ? null : <ListingFacts listing={listing} expired={expired} />}
                  <FaceImageFacts faceImage={faceImage} without="file" />
                </dl>
              </div>
              <WholePhoto faceImage={faceImage} name={faceImage.fileName} room={PHOTO} />
            </div>
          </>
        )}
      </Loaded>
    </Detail>
  );
}

/** A photo of the list that is no face yet: why, and what to do. */
export function RefusedPhoto(props: { photo: BlacklistFace; list: BlacklistRow; back: () => void }) {
  const { photo, list, back } = props;
  const { t } = useTranslation();
  const may = useMay();
  const { name, status, failureCode, addedAt } = photo;
  return (
    <Detail back={back}>
      <h3 className="row">
        <span dir="auto" className="cut">
          {name}
        </span>{' '}
        <StatusBadge of="image" code={status} />
      </h3>
      {failureCode === null ? null : (
        <>
          <p>{t(`failures.${failureCode}.sentence`)}</p>
          <p>{t(`failures.${failureCode}.remedy`)}</p>
        </>
      )}
      <dl className="facts">
        <dt>{t('blacklists.sent')}</dt>
        <dd>
          <Time at={addedAt} />
        </dd>
      </dl>
      {failureCode !== null && list.status === BLACKLIST_STATUS.Active && may('uploads:create') ? (
        <Button
          size="xs"
          className="face-detail-next"
          component={Link}
          to={`/enrol?blacklist=${list.id}&name=${encodeURIComponent(list.name)}`}
          leftSection={<IconUpload size={15} aria-hidden />}
        >
          {t('blacklists.uploadFixed')}
        </Button>
      ) : null}
    </Detail>
  );
}

function Detail({ back, children }: { back: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  useKeys([{ keys: ['Escape'], label: t('blacklists.backToFaces'), run: back }]);
  return (
    <div className="face-detail">
      <Button
        size="compact-sm"
        variant="subtle"
        className="face-detail-back"
        leftSection={<IconArrowLeft size={15} className="mirrored" aria-hidden />}
        onClick={back}
      >
        {t('blacklists.backToFaces')}
      </Button>
      {children}
    </div>
  );
}
