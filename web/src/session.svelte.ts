import { read } from './api';

export type Role = 'read' | 'run' | 'own';

/** Each role may do what those before it may. */
const ROLES: Role[] = ['read', 'run', 'own'];

const session = $state<{ role: Role }>({ role: 'read' });

/** Whether the link that was opened allows what needs this role. */
export function may(role: Role): boolean {
  return ROLES.indexOf(session.role) >= ROLES.indexOf(role);
}

export async function loadSession(): Promise<void> {
  session.role = (await read<{ role: Role }>('/api/session')).role;
}
