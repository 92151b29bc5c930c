// Server-sent events (WHATWG HTML §9.2.6): `EventSource` could not say who is asking.

export class EventReader {
  #rest = '';
  #fields = { event: 'message', data: [] };

  /** The events that are complete by now: `{event, data}` each. */
  push(text) {
    const events = [];
    // The break of a line may be cut in two.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?=[^\n])/);
    this.#rest = lines.pop();
    for (const line of lines) {
      if (line === '') {
        if (this.#fields.data.length) events.push({ ...this.#fields, data: this.#fields.data.join('\n') });
        this.#fields = { event: 'message', data: [] };
      } else {
        this.#field(line);
      }
    }
    return events;
  }

  #field(line) {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#fields.data.push(value);
    else if (name === 'event') this.#fields.event = value;
  }
}
