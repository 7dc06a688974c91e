// Browsers refuse web workers to pages that are opened from the disk; there the search runs in a hidden frame instead,
// which is of the same origin as the page and speaks with it as a worker would.
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(script) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      this.inside = frame.contentWindow;
      const page = frame.contentDocument;
      page.open();
      page.write("<!doctype html><title>search</title>");
      page.close();
      this.inside.postMessage = (data) => this.tell(this, data);
      // What the search imports are stemmers of languages; it waits for them.
      this.inside.importScripts = (...urls) => Promise.all(urls.map((url) => this.load(new URL(url, script))));
      this.load(script).then(() => {
        const waiting = this.waiting;
        this.waiting = null;
        waiting.forEach((data) => this.tell(this.inside, data));
      });
    }
    load(url) {
      return new Promise((done, failed) => {
        const element = this.inside.document.createElement("script");
        element.src = url;
        element.onload = done;
        element.onerror = failed;
        this.inside.document.head.append(element);
      });
    }
    tell(whom, data) {
      whom.dispatchEvent(new MessageEvent("message", { data }));
    }
    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.tell(this.inside, data);
    }
    terminate() {}
  };
