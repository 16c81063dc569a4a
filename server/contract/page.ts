import { z } from 'zod';

/** Query of a list that is answered whole unless a page is requested. */
export const pageQuery = {
  limit: z.int().min(1).max(1000).optional().describe('Entries of a page, 1 to 1000; all when absent'),
  cursor: z.string().max(100).optional().describe('next_cursor of the page before'),
};

export const nextCursor = z.string().max(100).nullable().describe('cursor of the next page; null: this is the last');
