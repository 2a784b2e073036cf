import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  operatorList,
  operatorRow,
  type NewOperatorBody,
  type OperatorChange,
} from '../../core/contracts/dashboard/operators.ts';
import { recoveryCodeAnswer } from '../../core/contracts/dashboard/session.ts';
import { requestJson } from './client.ts';

export const operatorsQuery = queryOptions({
  queryKey: ['operators'],
  queryFn: ({ signal }) => requestJson('GET', '/operators', operatorList, { signal }),
});

export const createOperator = (wanted: NewOperatorBody) =>
  requestJson('POST', '/operators', operatorRow, { body: wanted });
export const changeOperator = (id: number, change: OperatorChange) =>
  requestJson('PATCH', `/operators/${id}`, operatorRow, { body: change });
export const resetPassphrase = (id: number, passphrase: string) =>
  requestJson('POST', `/operators/${id}/passphrase`, z.unknown(), { body: { passphrase } });
export const unlockOperator = (id: number) => requestJson('POST', `/operators/${id}/unlock`, z.unknown());
export const signOutOperator = (id: number) => requestJson('POST', `/operators/${id}/sign-out`, z.unknown());
export const issueRecoveryCode = () => requestJson('POST', '/operators/recovery-code', recoveryCodeAnswer);
