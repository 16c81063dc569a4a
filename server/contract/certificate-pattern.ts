/** One certificate as text (RFC 7468); its group is the base64 of it, in lines. */
export const certificatePattern = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/;
