/** Offers a text to the browser as a download. */
export function saveText(fileName: string, text: string, type = 'text/plain;charset=utf-8'): void {
  saveBlob(fileName, new Blob([text], { type }));
}

/** The same for any content. */
export function saveBlob(fileName: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
