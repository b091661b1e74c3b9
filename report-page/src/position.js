// A position that the reader changes (of the slider, of the selected row), and the listeners to its changes.
export class Position {
  constructor(start) {
    this.position = start;
    this.listeners = [];
  }

  // Calls `listener(position)` now and after every change.
  subscribe(listener) {
    this.listeners.push(listener);
    listener(this.position);
  }

  move(position) {
    if (position === this.position) return;
    this.position = position;
    for (const listener of this.listeners) listener(position);
  }
}
