// The camera: the picture of the moment as a JPEG, in base64.

const WIDTH = 640;
const HEIGHT = 480;
const QUALITY = 0.8;
const PER_SECOND = 5; // pictures seen, of which one is taken

export class Camera {
  // `view` is a <video> element that shows what it sees.
  static async open(view) {
    const camera = new Camera();
    camera.stream = await navigator.mediaDevices.getUserMedia({ video: { width: WIDTH, height: HEIGHT, frameRate: PER_SECOND } });
    camera.view = view;
    camera.canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
    camera.drawing = camera.canvas.getContext('2d', { alpha: false, willReadFrequently: true });
    view.srcObject = camera.stream;
    view.muted = true;
    await view.play();
    return camera;
  }

  // Another shape than 4:3 is shown whole, with black beside it. At once: toBlob waits until the page has nothing else to do,
  // which may be a second.
  take() {
    const { videoWidth, videoHeight } = this.view;
    const scale = Math.min(WIDTH / videoWidth, HEIGHT / videoHeight);
    const [width, height] = [videoWidth * scale, videoHeight * scale];
    this.drawing.clearRect(0, 0, WIDTH, HEIGHT);
    this.drawing.drawImage(this.view, (WIDTH - width) / 2, (HEIGHT - height) / 2, width, height);
    return this.canvas.toDataURL('image/jpeg', QUALITY).split(',')[1];
  }

  close() {
    for (const track of this.stream.getTracks()) track.stop();
    this.view.srcObject = null;
  }
}
