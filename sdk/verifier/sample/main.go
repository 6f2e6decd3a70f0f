// The smallest application in Go: it checks each callback of the platform, and answers an alarm.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path"

	"carillon"
)

// Largest body of a callback, in bytes.
const mostBytes = 1 << 20

// Callbacks that decide about a person who waits. One that this program cannot answer is left to the fallback of the platform.
var undecided = map[string]bool{"newCall": true, "callEvent": true, "getIvrCommand": true, "newRemoteCall": true}

func main() {
	verifier, err := carillon.New(carillon.Options{
		Keys:     []carillon.Key{{Algorithm: setting("ALGORITHM", "ES256"), Key: os.Getenv("KEY")}},
		Audience: os.Getenv("AUDIENCE"),
		Domain:   os.Getenv("ISSUER"),
	})
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/", func(writer http.ResponseWriter, request *http.Request) {
		name := path.Base(request.URL.Path)
		body, err := io.ReadAll(http.MaxBytesReader(writer, request.Body, mostBytes))
		if err == nil {
			_, err = verifier.Verify(request.Header.Get("Authorization"), body)
		}
		if err != nil {
			log.Printf("%s refused: %v", name, err)
			answer(writer, http.StatusUnauthorized, map[string]string{"reason": err.Error()})
			return
		}
		log.Printf("%s %s", name, body)
		switch {
		case name == "newAlarmbridgeEvent":
			// A repeat of the event gets the same answer.
			answer(writer, http.StatusOK, map[string]string{"action": "callEmergencyCenter"})
		case undecided[name]:
			answer(writer, http.StatusNotImplemented, map[string]string{"reason": name + " is not answered here."})
		default:
			answer(writer, http.StatusOK, map[string]string{})
		}
	})
	address := "127.0.0.1:" + setting("PORT", "3000")
	listener, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("takes callbacks at http://%s", address)
	log.Fatal(http.Serve(listener, nil))
}

func answer(writer http.ResponseWriter, status int, body map[string]string) {
	writer.Header().Set("Content-Type", "application/json")
	writer.WriteHeader(status)
	_ = json.NewEncoder(writer).Encode(body)
}

func setting(name, otherwise string) string {
	if given := os.Getenv(name); given != "" {
		return given
	}
	return otherwise
}
