declare module 'gltf-validator' {
  /** What Khronos' validator finds in a file. */
  export function validateBytes(data: Uint8Array): Promise<{
    issues: { numErrors: number; numWarnings: number; messages: { code: string; message: string; pointer?: string }[] };
    info: { drawCallCount: number; totalTriangleCount: number };
  }>;
}
