// Package pools shows the ARM emulator in a Go test: one write is refused with 429, the next one is accepted.
// Run: go test ./... in this folder of a checkout; POOLKEEPER names another launcher.
package pools

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

type emulator struct {
	Address       string `json:"address"`
	CAFile        string `json:"caFile"`
	Subscription  string `json:"subscription"`
	ResourceGroup string `json:"resourceGroup"`
	client        *http.Client
}

// start runs the emulator until the test ends.
func start(t *testing.T, faults string) *emulator {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "faults.json")
	if err := os.WriteFile(file, []byte(faults), 0o600); err != nil {
		t.Fatal(err)
	}
	launcher := os.Getenv("POOLKEEPER")
	if launcher == "" {
		launcher = filepath.Join(root, "poolkeeper")
	}
	command := exec.Command(launcher, "arm-emulator", "--output", "json", "--faults", file,
		"--inventory", filepath.Join(root, "recordings/comings-and-goings.inventory.json"))
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait() // exit code 130
	})

	started := &emulator{}
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err != nil {
		t.Fatal("the emulator ended: ", err)
	}
	if err := json.Unmarshal(line, started); err != nil {
		t.Fatal(err)
	}
	ca, err := os.ReadFile(started.CAFile)
	if err != nil {
		t.Fatal(err)
	}
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(ca)
	started.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities}}}
	return started
}

// call sends a request about a pool and returns the status and the body.
func (e *emulator) call(t *testing.T, method, pool, body string) (int, string) {
	t.Helper()
	url := e.Address + "/subscriptions/" + e.Subscription + "/resourceGroups/" + e.ResourceGroup +
		"/providers/Microsoft.Network/loadBalancers/kubernetes/backendAddressPools/" + pool + "?api-version=2025-03-01"
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer any")
	response, err := e.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(answer)
}

func TestAWriteIsRefusedAndRepeated(t *testing.T) {
	arm := start(t, `{"rules": [{"method": "PUT", "status": 429, "retryAfterSeconds": 1, "times": 1}]}`)
	wanted := `{"properties": {"loadBalancerBackendAddresses": [{"name": "n", "properties": {"ipAddress": "10.0.0.4"}}]}}`

	if status, _ := arm.call(t, "PUT", "edge-gate", wanted); status != http.StatusTooManyRequests {
		t.Fatalf("expected 429, got %d", status)
	}
	if status, body := arm.call(t, "PUT", "edge-gate", wanted); status != http.StatusCreated {
		t.Fatalf("expected 201, got %d: %s", status, body)
	}
	if _, body := arm.call(t, "GET", "edge-gate", ""); !strings.Contains(body, `"10.0.0.4"`) {
		t.Fatalf("the pool does not hold 10.0.0.4: %s", body)
	}
}
