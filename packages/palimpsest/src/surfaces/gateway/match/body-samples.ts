/** A body by its size and some pieces of it: enough to see that another one begins with most of it. */
export interface BodySamples {
  readonly bytes: number;
  readonly pieces: readonly { readonly at: number; readonly piece: Buffer }[];
}

export const noSamples: BodySamples = { bytes: 0, pieces: [] };

const pieceBytes = 1_024;
const places = [0, 0.25, 0.5, 0.75, 0.9];

export function sampleBody(body: Buffer): BodySamples {
  const pieces = places.map((place) => {
    const at = Math.floor(body.length * place);
    return { at, piece: Buffer.from(body.subarray(at, at + pieceBytes)) };
  });
  return { bytes: body.length, pieces };
}

/** Whether a body has the pieces of another one where that had them. A body that was never seen begins nothing. */
export function beginsWith(body: Buffer, { pieces }: BodySamples): boolean {
  return (
    pieces.length > 0 && pieces.every(({ at, piece }) => piece.equals(body.subarray(at, at + piece.length)))
  );
}
