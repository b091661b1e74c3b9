// The position of the slider, and who wants to know when it changes.
export class LevelState {
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
