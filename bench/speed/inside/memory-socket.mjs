import { Duplex } from 'node:stream'

/** A connection without a network: the server reads the input, and `take` sees its output. */
export class MemorySocket extends Duplex {
  #take

  constructor(take = () => {}) {
    // As a socket of Node's, which hands text on as it is.
    super({ decodeStrings: false })
    this.#take = take
  }

  feed(bytes) {
    this.push(bytes)
  }

  _read() {}

  _write(chunk, encoding, done) {
    this.#take(chunk, encoding)
    done()
  }

  _writev(chunks, done) {
    for (const { chunk, encoding } of chunks) this.#take(chunk, encoding)
    done()
  }

  setTimeout() {
    return this
  }

  setNoDelay() {
    return this
  }

  setKeepAlive() {
    return this
  }

  destroySoon() {
    this.destroy()
  }
}
