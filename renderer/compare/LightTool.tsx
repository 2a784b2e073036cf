import { ActionIcon, Button, Popover, Slider } from '@mantine/core';
import { IconSun } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { PLAIN_LIGHT, type Compare } from './useCompare.ts';

/** Brightness and contrast of the view. */
export function LightTool({ compare: { state, change } }: { compare: Compare }) {
  const { t } = useTranslation();
  const { light } = state;
  const changed = light.brightness !== PLAIN_LIGHT.brightness || light.contrast !== PLAIN_LIGHT.contrast;
  return (
    <>
      <Popover width={240} trapFocus>
        <Popover.Target>
          <ActionIcon
            variant={changed ? 'light' : 'subtle'}
            color={changed ? 'orange' : 'gray'}
            aria-label={t('compare.light')}
          >
            <IconSun size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          <div className="column">
            {(['brightness', 'contrast'] as const).map((which) => (
              <div key={which}>
                <p>
                  {t(`compare.${which}`)} <span className="soft">{light[which]}%</span>
                </p>
                <Slider
                  min={30}
                  max={300}
                  label={null}
                  thumbLabel={t(`compare.${which}`)}
                  value={light[which]}
                  onChange={(value) => change({ light: { ...light, [which]: value } })}
                />
              </div>
            ))}
            <p className="soft">{t('compare.lightNote')}</p>
            <Button variant="default" size="xs" onClick={() => change({ light: PLAIN_LIGHT })}>
              {t('compare.lightReset')}
            </Button>
          </div>
        </Popover.Dropdown>
      </Popover>
      {changed ? <span className="compare-aid">{t('compare.changed')}</span> : null}
    </>
  );
}
