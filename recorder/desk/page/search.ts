import { signal } from '@preact/signals';

/** What is looked for in the hall. */
export const searchText = signal('');
