/** Reads colours of the style as a canvas takes them: it knows neither variables nor `light-dark()`. */
export function colourReader(element: HTMLElement): (name: string) => string {
  return (name) => {
    const probe = document.createElement('span');
    probe.style.color = `var(${name})`;
    element.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}
