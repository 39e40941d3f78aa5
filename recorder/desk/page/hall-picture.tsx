/** A board of the hall: drawn as one picture, again when what stands there is another, or when it is shown at another size. */
import { signal } from '@preact/signals';
import { memo } from 'preact/compat';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type DrawnBoard, drawBoard, pieces } from './board-drawing.ts';

/** Width of the pictures of the hall, which all have the same; pixels of the page. */
const width = signal(0);
/** Pixels of the screen to one of the page; changes when the page is zoomed. */
const ratio = signal(devicePixelRatio);
addEventListener('resize', () => {
  ratio.value = devicePixelRatio;
});

/** Watches how wide pictures are: one of them stands for all. */
export function useWidthOfPictures(key: unknown): void {
  useEffect(() => {
    const picture = document.querySelector('.grid canvas');
    if (picture === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) width.value = entry.contentRect.width;
    });
    observer.observe(picture);
    return () => observer.disconnect();
  }, [key]);
}

export const HallPicture = memo(function HallPicture(props: DrawnBoard & { readonly label: string }) {
  const { placement, lastUci, differing, label } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = width.value * ratio.value;
  const drawn = pieces.value;
  useLayoutEffect(() => {
    if (canvas.current !== null && size > 0)
      drawBoard(canvas.current, { placement, lastUci, differing }, size);
  }, [placement, lastUci, differing?.join(), size, drawn]);
  return <canvas ref={canvas} class="picture" role="img" aria-label={label} />;
});
