/** Whether what is on the screen is kept by the server. */
export type SaveState = 'saved' | 'saving' | 'unsaved' | 'conflict' | 'offline' | 'rejected';
