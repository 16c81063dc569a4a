/** Kind of the data that a dragged device carries: its unique_id. */
export const deviceDragType = 'application/x-orangery-device';
