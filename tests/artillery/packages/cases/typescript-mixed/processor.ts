import axios from 'axios';
import dayjs from 'dayjs';
import { v5 as uuid } from 'uuid';
import { label } from './labels.js';

type Context = { vars: { target: string } & Record<string, any> };

enum Mode { Fast = 'fast', Slow = 'slow' }

export const prepare = async (context: Context, events: { emit: (...args: unknown[]) => void }): Promise<void> => {
  const { data } = await axios.get<{ method: string }>(`${context.vars.target}/anything/ts`);
  context.vars.label = label(data.method, Mode.Fast);
  context.vars.day = dayjs('2024-05-06').format('DD/MM/YYYY');
  context.vars.id = uuid('ts', uuid.DNS);
  events.emit('histogram', 'prepared', 3);
};
