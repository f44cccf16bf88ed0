// Labels of charts that overlap: those of drawings in reports, and those that pages draw on a canvas.

/** Has a page remember what it writes on each canvas since the canvas was cleared. */
export async function watchLabels(page) {
  await page.evaluateOnNewDocument(() => {
    const written = new Map();
    window.canvasLabels = written;
    const own = CanvasRenderingContext2D.prototype;
    const { clearRect, fillText } = own;
    own.clearRect = function clear(...area) {
      written.delete(this.canvas);
      return clearRect.apply(this, area);
    };
    own.fillText = function write(text, x, y, ...rest) {
      const size = this.measureText(text);
      const at = this.getTransform();
      const box = {
        text,
        left: at.e + x - size.actualBoundingBoxLeft,
        right: at.e + x + size.actualBoundingBoxRight,
        top: at.f + y - size.actualBoundingBoxAscent,
        bottom: at.f + y + size.actualBoundingBoxDescent,
      };
      if (String(text).trim()) written.set(this.canvas, [...(written.get(this.canvas) ?? []), box]);
      return fillText.call(this, text, x, y, ...rest);
    };
  });
}

/** The labels that overlap, and how many there are at all. */
export function labelsOf(page) {
  return page.evaluate(() => {
    const drawn = [...document.querySelectorAll('svg.plot')].map((drawing) => [...drawing.querySelectorAll('text')].map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      // A line of text is higher than what stands in it.
      return { text: one.textContent, left, right, top: top + 1, bottom: bottom - 1 };
    }));
    const all = [...drawn, ...(window.canvasLabels?.values() ?? [])];
    const clashes = all.flatMap((labels) => labels.flatMap((a, place) => labels.slice(place + 1)
      .filter((b) => a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 1 && b.bottom > a.top + 1)
      .map((b) => `${a.text} and ${b.text}`)));
    return { clashes, count: all.flat().length };
  });
}
