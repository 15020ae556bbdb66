// Search without a server: browsers start no worker from a file, so there a hidden frame does its work.
// The theme asks for this script under this name when its plugin `offline` is on, and would fetch one from elsewhere.
class IFrameWorker extends EventTarget {
  constructor(address) {
    super()
    this.onmessage = null
    const frame = document.createElement("iframe")
    frame.hidden = true
    document.body.append(frame)
    const inside = frame.contentWindow
    // what the script in the frame posts goes to this page, as if a worker had posted it
    inside.postMessage = (data) => {
      const message = new MessageEvent("message", { data })
      this.dispatchEvent(message)
      this.onmessage?.(message)
    }
    this.ready = new Promise((resolve, reject) => {
      const script = inside.document.createElement("script")
      script.src = String(address)
      script.onload = resolve
      script.onerror = () => reject(new Error(`${address} cannot be read`))
      inside.document.body.append(script)
    })
    this.inside = inside
    this.frame = frame
  }

  postMessage(data) {
    this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })))
  }

  terminate() {
    this.frame.remove()
  }
}

if (location.protocol === "file:") {
  window.IFrameWorker = IFrameWorker
  window.Worker = IFrameWorker
}
