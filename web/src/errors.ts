import { Refused } from './api';
import { t } from './text.svelte';

/** What was wrong, in the reader's language where the server's code is known. */
export function said(error: unknown): string {
  if (!(error instanceof Refused)) return error instanceof TypeError ? t('error_away') : String(error);
  switch (error.code) {
    case 'no_run': return t('error_no_run');
    case 'ambiguous': return t('error_ambiguous');
    case 'store': return t('error_store');
    case 'running': return t('error_running');
    case 'not_steerable': return t('error_not_steerable');
    case 'token_needed': return t('error_link');
    case 'role_needed': return t('error_role');
    case 'not_told': return t('error_not_told');
    default: return error.message;
  }
}
