// ipc_serdes: messages of child processes with `serialization: 'advanced'`: four bytes of length (big endian), then V8's wire format, where
// views are host objects as v8.serialize writes them, and what V8 cannot clone is sent as its own properties.
import type { Binding } from '../process/environment';
import { asNodeBuffer } from './buffer';

const TAG = { view: 0, other: 1 } as const;
const LENGTH_BYTES = 4;

export const ipcSerdes: Binding = (environment) => {
  const classes = () => {
    const { DefaultSerializer, DefaultDeserializer }: Record<string, any> = environment.requireBuiltin('v8');

    class ChannelSerializer extends DefaultSerializer {
      _writeHostObject(object: object): unknown {
        if (ArrayBuffer.isView(object)) {
          this.writeUint32(TAG.view);
          return super._writeHostObject(object);
        }
        this.writeUint32(TAG.other);
        return this.writeValue({ ...object });
      }
    }

    class ChannelDeserializer extends DefaultDeserializer {
      _readHostObject(): unknown {
        return this.readUint32() === TAG.view ? super._readHostObject() : this.readValue();
      }
    }
    return { ChannelSerializer, ChannelDeserializer };
  };
  let loaded: ReturnType<typeof classes> | undefined;

  return {
    serialize(message: unknown): Uint8Array {
      loaded ??= classes();
      const serializer: any = new loaded.ChannelSerializer();
      serializer.writeHeader();
      serializer.writeValue(message);
      const body: Uint8Array = serializer.releaseBuffer();
      const out = new Uint8Array(LENGTH_BYTES + body.length);
      new DataView(out.buffer).setUint32(0, body.length);
      out.set(body, LENGTH_BYTES);
      return asNodeBuffer(out);
    },
    deserialize(bytes: Uint8Array): unknown {
      loaded ??= classes();
      const deserializer: any = new (loaded.ChannelDeserializer as any)(asNodeBuffer(bytes.slice()));
      deserializer.readHeader();
      return deserializer.readValue();
    },
  };
};
