// The level that everything on the page follows.
export class Level {
  constructor(start) {
    this.position = start;
    this.followers = [];
  }

  follow(draw) {
    this.followers.push(draw);
    draw(this.position);
  }

  move(position) {
    if (position === this.position) return;
    this.position = position;
    for (const draw of this.followers) draw(position);
  }
}
