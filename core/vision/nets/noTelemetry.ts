/**
 * ONNX Runtime 1.30 collects usage on Linux and macOS: it keeps a device id and a queue of events under the user's cache
 * folder and uploads them over HTTPS. An appliance without internet does neither. The library reads this variable when
 * it is loaded, so this module is imported before it, wherever it is used.
 */
process.env.ORT_DISABLE_TELEMETRY = '1';
