// Package carillon checks the callbacks of the platform with the standard library alone (Go 1.19 and later).
//
// Copy this file into a folder of your module. A refusal has a code that programs may compare, a reason and an advice.
package carillon

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"sync"
	"time"
)

const (
	longestToken     = 8192
	leastRSABits     = 2048
	rememberedTokens = 100000
)

// Refusal is the reason why a callback is not to be trusted, or why a key cannot check one.
type Refusal struct{ Code, Reason, Advice string }

func (r *Refusal) Error() string { return r.Reason + " " + r.Advice }

// Key is a key that callbacks may be signed with; its algorithm is never read from the token.
type Key struct {
	// Algorithm is RS256, RS512, ES256, EdDSA or HS256.
	Algorithm string
	// Key is the public key in PEM, or the shared secret for HS256.
	Key string
	// AcceptedUntil ends a change of keys; zero: no end.
	AcceptedUntil time.Time
}

// Claims of a callback's token; times in epoch seconds.
type Claims struct {
	Sub        string   `json:"sub"`
	Scope      string   `json:"scope"`
	Iss        *string  `json:"iss"`
	Aud        *string  `json:"aud"`
	Iat        *float64 `json:"iat"`
	Exp        *float64 `json:"exp"`
	Jti        *string  `json:"jti"`
	BodySha256 *string  `json:"bodySha256"`
}

// Options of a verifier.
type Options struct {
	// Keys are all keys that may sign now: old and new while keys change.
	Keys []Key
	// Audience is the origin of this application as configured in the platform.
	Audience string
	// Domain is the tenant; empty: every tenant that has one of the keys.
	Domain string
	// ClockSkew is the accepted difference between the clocks; zero: one minute.
	ClockSkew time.Duration
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

type check struct {
	key      Key
	verifies func(signature, signed []byte) bool
}

// Verifier checks callbacks; goroutines may share one.
type Verifier struct {
	options Options
	checks  []check
	mutex   sync.Mutex
	seen    map[string]float64
	order   []string
}

// New reads the keys; one that does not fit its algorithm is refused here.
func New(options Options) (*Verifier, error) {
	if options.ClockSkew == 0 {
		options.ClockSkew = time.Minute
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	verifier := &Verifier{options: options, seen: map[string]float64{}}
	for _, key := range options.Keys {
		verifies, err := scheme(key)
		if err != nil {
			return nil, err
		}
		verifier.checks = append(verifier.checks, check{key, verifies})
	}
	return verifier, nil
}

// Verify checks the Authorization header and the raw body; the error is a *Refusal.
func (v *Verifier) Verify(authorization string, body []byte) (*Claims, error) {
	now := v.options.Now()
	algorithm, payload, signed, signature, err := readToken(authorization)
	if err != nil {
		return nil, err
	}
	if err := v.checkSignature(algorithm, signed, signature, now); err != nil {
		return nil, err
	}
	claims, err := readClaims(payload)
	if err != nil {
		return nil, err
	}
	if err := v.checkClaims(claims, float64(now.UnixNano())/1e9); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	if hex.EncodeToString(sum[:]) != *claims.BodySha256 {
		return nil, &Refusal{"bodyChanged", "The body is not the one that was signed.",
			"Pass the raw bytes of the body: once parsed and written again it has another hash."}
	}
	until := *claims.Exp + v.options.ClockSkew.Seconds()
	if !v.isFirst(*claims.Iss+" "+*claims.Jti, until, float64(now.Unix())) {
		return nil, &Refusal{"replayed", "The token " + *claims.Jti + " was used before.",
			"Look for a proxy that sends requests twice; the platform signs every attempt by itself."}
	}
	return claims, nil
}

func (v *Verifier) checkSignature(algorithm string, signed, signature []byte, now time.Time) error {
	hasKey := false
	for _, each := range v.checks {
		until := each.key.AcceptedUntil
		if each.key.Algorithm != algorithm || (!until.IsZero() && !now.Before(until)) {
			continue
		}
		hasKey = true
		if each.verifies(signature, signed) {
			return nil
		}
	}
	if !hasKey {
		return &Refusal{"algorithmNotAllowed",
			fmt.Sprintf("The token is signed with %.16s, and no key of this verifier has that algorithm.", algorithm),
			"Add the public key of the restAuthentication entry with its type; for copies of carillon listen the secret that it prints, with HS256."}
	}
	return &Refusal{"signatureInvalid", "No " + algorithm + " key of this verifier made the signature.",
		"Compare the key with that of the restAuthentication entry, or with the secret that carillon listen printed at this start; keep the old key while a new one is rolled out."}
}

func (v *Verifier) checkClaims(claims *Claims, now float64) error {
	skew := v.options.ClockSkew.Seconds()
	const clock = "Set the clock of this machine and of the site by NTP."
	switch {
	case *claims.Aud != v.options.Audience:
		return &Refusal{"audienceWrong",
			fmt.Sprintf("The token is for %.200s, and this application is %s.", *claims.Aud, v.options.Audience),
			"Set Audience to the origin of the callbackBaseUrl, with its port when that is not 443."}
	case v.options.Domain != "" && *claims.Iss != v.options.Domain:
		return &Refusal{"issuerWrong",
			fmt.Sprintf("The token is from the tenant %.200s, and %s is expected.", *claims.Iss, v.options.Domain),
			"Set Domain to the tenant, or give every tenant a key of its own."}
	case *claims.Iat > now+skew:
		return &Refusal{"issuedInFuture",
			fmt.Sprintf("The token was issued %.0f s in the future.", *claims.Iat-now), clock}
	case *claims.Exp < now-skew:
		return &Refusal{"expired", fmt.Sprintf("The token expired %.0f s ago.", now-*claims.Exp), clock}
	}
	return nil
}

// isFirst remembers a token until its end. A full memory forgets its oldest token and refuses none.
func (v *Verifier) isFirst(token string, until, now float64) bool {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if end, known := v.seen[token]; known && end >= now {
		return false
	}
	for len(v.order) > 0 && (v.seen[v.order[0]] < now || len(v.order) >= rememberedTokens) {
		delete(v.seen, v.order[0])
		v.order = v.order[1:]
	}
	v.seen[token] = until
	v.order = append(v.order, token)
	return true
}

var bearer = regexp.MustCompile(`(?i)^bearer +([^\s]+)\s*$`)

func readToken(authorization string) (algorithm string, payload, signed, signature []byte, err error) {
	found := bearer.FindStringSubmatch(authorization)
	if found == nil {
		err = &Refusal{"tokenMissing", "The request has no bearer token.",
			"Give the receiver a restAuthentication entry with a type and a secret, and let the proxy in front pass Authorization on."}
		return
	}
	parts := strings.Split(found[1], ".")
	if len(found[1]) > longestToken || len(parts) != 3 {
		err = malformed("is no JWT of three parts")
		return
	}
	var header map[string]json.RawMessage
	text, fault := base64.RawURLEncoding.DecodeString(parts[0])
	if fault != nil || json.Unmarshal(text, &header) != nil || header == nil {
		err = malformed("has a header that is no JSON object")
		return
	}
	if _, has := header["crit"]; has {
		err = malformed("asks for extensions in crit that are not known")
		return
	}
	_ = json.Unmarshal(header["alg"], &algorithm)
	if payload, fault = base64.RawURLEncoding.DecodeString(parts[1]); fault != nil {
		err = malformed("has a payload that is no base64url")
		return
	}
	if signature, fault = base64.RawURLEncoding.DecodeString(parts[2]); fault != nil {
		err = malformed("has a signature that is no base64url")
		return
	}
	signed = []byte(parts[0] + "." + parts[1])
	return
}

func malformed(fault string) *Refusal {
	return &Refusal{"tokenMalformed", "The bearer token " + fault + ".",
		"Look whether another program than the platform posts to this address."}
}

func readClaims(payload []byte) (*Claims, error) {
	var claims Claims
	err := json.Unmarshal(payload, &claims)
	if _, isType := err.(*json.UnmarshalTypeError); err != nil && !isType {
		return nil, malformed("has a payload that is no JSON object")
	}
	missing := ""
	switch {
	case claims.Iss == nil:
		missing = "iss"
	case claims.Aud == nil:
		missing = "aud"
	case claims.Iat == nil:
		missing = "iat"
	case claims.Exp == nil:
		missing = "exp"
	case claims.Jti == nil:
		missing = "jti"
	case claims.BodySha256 == nil:
		missing = "bodySha256"
	}
	if err != nil || missing != "" {
		return nil, &Refusal{"claimMissing", "The token has no claim " + missing + " of the right kind.",
			"Take tokens of the platform alone: another program signs with this key."}
	}
	return &claims, nil
}

func unsuitable(reason, advice string) *Refusal { return &Refusal{"keyUnsuitable", reason, advice} }

func scheme(given Key) (func(signature, signed []byte) bool, error) {
	if given.Algorithm == "HS256" {
		return sharedSecret(given.Key)
	}
	block, _ := pem.Decode([]byte(given.Key))
	if block == nil || block.Type != "PUBLIC KEY" {
		return nil, unsuitable("The "+given.Algorithm+" key is no public key in PEM.",
			"Give the text that begins with -----BEGIN PUBLIC KEY-----.")
	}
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, unsuitable("The public key cannot be read.", "Write it again: openssl pkey -in private.pem -pubout.")
	}
	switch key := public.(type) {
	case *rsa.PublicKey:
		if given.Algorithm == "RS256" && key.N.BitLen() >= leastRSABits {
			return func(signature, signed []byte) bool {
				sum := sha256.Sum256(signed)
				return rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signature) == nil
			}, nil
		}
		if given.Algorithm == "RS512" && key.N.BitLen() >= leastRSABits {
			return func(signature, signed []byte) bool {
				sum := sha512.Sum512(signed)
				return rsa.VerifyPKCS1v15(key, crypto.SHA512, sum[:], signature) == nil
			}, nil
		}
	case *ecdsa.PublicKey:
		if given.Algorithm == "ES256" && key.Curve == elliptic.P256() {
			return func(signature, signed []byte) bool {
				if len(signature) != 64 {
					return false
				}
				sum := sha256.Sum256(signed)
				r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
				return ecdsa.Verify(key, sum[:], r, s)
			}, nil
		}
	case ed25519.PublicKey:
		if given.Algorithm == "EdDSA" {
			return func(signature, signed []byte) bool { return ed25519.Verify(key, signed, signature) }, nil
		}
	}
	return nil, unsuitable("The public key does not fit "+given.Algorithm+".",
		"Give each key the algorithm of its pair; an RSA key has 2048 bits or more.")
}

var publicPEM = regexp.MustCompile(`-----BEGIN [A-Z ]*(PUBLIC KEY|CERTIFICATE)-----`)

func sharedSecret(secret string) (func(signature, signed []byte) bool, error) {
	if secret == "" {
		return nil, unsuitable("The HS256 key has no secret.", "Give the secret of the restAuthentication entry.")
	}
	if publicPEM.MatchString(secret) {
		return nil, unsuitable("The secret of the HS256 key is a public key, which everybody may know.",
			"Give the algorithm of the key pair: RS256, RS512, ES256 or EdDSA.")
	}
	return func(signature, signed []byte) bool {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(signed)
		return hmac.Equal(signature, mac.Sum(nil))
	}, nil
}
